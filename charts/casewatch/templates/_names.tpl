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

{{- /* Name, labels and annotations of an object; each key once, the product's own first. Takes {root, name, component, labels, annotations}. */ -}}
{{- define "casewatch.metadata" -}}
{{- $released := dict "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") -}}
name: {{ .name }}
labels: {{- merge $released (include "casewatch.podLabels" . | fromYaml) | toYaml | nindent 2 }}
{{- with merge (.annotations | default dict | deepCopy) .root.Values.commonAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Without the chart's version: a new chart around the same pods replaces none. Takes {root, component, labels}. */ -}}
{{- define "casewatch.podLabels" -}}
{{- $own := include "casewatch.selector" .root | fromYaml -}}
{{- $own = merge $own (dict "app.kubernetes.io/version" (.root.Values.image.tag | default .root.Chart.AppVersion | trunc 63) "app.kubernetes.io/part-of" "casewatch") -}}
{{- with .component }}{{ $own = set $own "app.kubernetes.io/component" . }}{{ end -}}
{{- merge $own (.labels | default dict) .root.Values.commonLabels | toYaml -}}
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

{{- /* Gateways of the routes, with the defaults that the API server adds inside lists. */ -}}
{{- define "casewatch.parentRefs" -}}
{{- range .Values.httpRoute.parentRefs }}
- {{ merge (deepCopy .) (dict "group" "gateway.networking.k8s.io" "kind" "Gateway") | toJson }}
{{- end }}
{{- end -}}

{{- /* `::` takes IPv4 as well; not everywhere, since a node may have IPv6 switched off. */ -}}
{{- define "casewatch.listenHost" -}}
{{- ternary "::" "0.0.0.0" (or (contains "DualStack" .Values.service.ipFamilyPolicy) (has "IPv6" .Values.service.ipFamilies)) -}}
{{- end -}}

{{- define "casewatch.ipFamilies" -}}
{{- with .Values.service.ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .Values.service.ipFamilies }}
ipFamilies: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Labels by which Prometheus has the release's series. */ -}}
{{- define "casewatch.series" -}}
namespace={{ .Release.Namespace | quote }},release={{ .Release.Name | quote }}{{ with .Values.monitoring.cluster }},cluster={{ . | quote }}{{ end }}
{{- end -}}
