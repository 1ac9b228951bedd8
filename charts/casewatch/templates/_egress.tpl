{{- /* One way out. Takes {to, ports}; an empty `to` is everywhere. */ -}}
{{- define "casewatch.egressRule" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
