{{- /* One way out. Takes {to, ports, urls}; an empty `to` is everywhere. The ports that the URLs name are open without being said again. */ -}}
{{- define "casewatch.egressRule" -}}
{{- $ports := list -}}
{{- range .ports }}{{ $ports = append $ports (int .) }}{{ end -}}
{{- range $url := .urls -}}
{{- $hosts := regexReplaceAll "^[a-z+]+://([^@/]*@)?" $url "" | regexFind "^[^/?]*" -}}
{{- range splitList "," $hosts -}}
{{- $port := regexFind ":[0-9]+$" . | trimPrefix ":" -}}
{{- $port = $port | default (ternary "80" "" (hasPrefix "http://" $url)) | default (ternary "443" "" (hasPrefix "https://" $url)) -}}
{{- if $port }}{{ $ports = append $ports (int $port) }}{{ end -}}
{{- end -}}
{{- end -}}
- ports:
    {{- range uniq $ports }}
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
