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

{{- /* The way to a resolver, which answers long answers over TCP. Takes {to, ports}. */ -}}
{{- define "casewatch.dnsRule" -}}
- ports:
    {{- range .ports }}
    - { protocol: UDP, port: {{ . }} }
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* {to, ports} of a data store in the cluster. Takes the labels that its operator gives to its pods. */ -}}
{{- define "casewatch.inClusterEgress" -}}
to: [{ podSelector: { matchLabels: {{ toJson . }} } }]
ports: [{{ if hasKey . "cnpg.io/cluster" }}5432{{ else if hasKey . "strimzi.io/cluster" }}9093{{ else }}6379{{ end }}]
{{- end -}}
