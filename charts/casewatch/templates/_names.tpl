{{- define "casewatch.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $full := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name)) -}}
{{- /* Room for the longest suffix, a role's name, within the 63 characters of a DNS label. */ -}}
{{- $full | trunc 44 | trimSuffix "-" -}}
{{- end -}}

{{- define "casewatch.selector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "casewatch.labels" -}}
{{ include "casewatch.podLabels" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- /* Without the chart's version: a new chart around the same pods replaces none. */ -}}
{{- define "casewatch.podLabels" -}}
{{ include "casewatch.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/part-of: casewatch
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "casewatch.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /* The roles with a Deployment each, or `all` in one, as a YAML list. */ -}}
{{- define "casewatch.roles" -}}
{{- $roles := keys .Values.services | sortAlpha -}}
{{- if .Values.streams.enabled -}}{{- $roles = append $roles "streams" -}}{{- end -}}
{{- ternary (list "all") $roles (eq .Values.mode "single") | toYaml -}}
{{- end -}}

{{- /* The role that requests from outside go to. */ -}}
{{- define "casewatch.entrance" -}}
{{- ternary "all" "gateway" (eq .Values.mode "single") -}}
{{- end -}}

{{- /* The host of a URL, without its port. */ -}}
{{- define "casewatch.host" -}}{{ regexReplaceAll ":[0-9]+$" (urlParse .).host "" }}{{- end -}}

{{- /* The host of the payments simulator, where Ingress and HTTPRoute lead to it; empty where it is reached by port-forward. */ -}}
{{- define "casewatch.paymentsHost" -}}
{{- $host := include "casewatch.host" .Values.simulators.payments.publicUrl -}}
{{- if and .Values.simulators.payments.enabled (not (has $host (list "localhost" "127.0.0.1"))) -}}{{ $host }}{{- end -}}
{{- end -}}

{{- /* The values of one role: `defaults` with what `services`, `streams` or `single` says of it. Takes {root, role}. */ -}}
{{- define "casewatch.role" -}}
{{- $own := merge (dict "all" .root.Values.single "streams" .root.Values.streams) .root.Values.services -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index $own .role | default dict)) | toYaml -}}
{{- end -}}

{{- /* Whether a role has more than one pod at all times. Takes {root, role}. */ -}}
{{- define "casewatch.isMany" -}}
{{- $role := include "casewatch.role" . | fromYaml -}}
{{- $scaled := not (empty (include "casewatch.scaler" .)) -}}
{{- if gt (int (ternary $role.autoscaling.minReplicas $role.replicas $scaled)) 1 -}}true{{- end -}}
{{- end -}}

{{- /* Who sets the number of a role's replicas: keda, hpa, or empty when the number is fixed. Never two. Takes {root, role}. */ -}}
{{- define "casewatch.scaler" -}}
{{- $role := include "casewatch.role" . | fromYaml -}}
{{- if .root.Values.stopped -}}{{- else if and .root.Values.keda.enabled (ne .role "gateway") -}}keda{{- else if $role.autoscaling.enabled -}}hpa{{- end -}}
{{- end -}}
