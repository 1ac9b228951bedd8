{{- /* Reads one key of a secret. Takes {name, secret, key}. */ -}}
{{- define "casewatch.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} }
{{- end -}}

{{- /* Settings that every role has, none of them secret: the ConfigMap's data. */ -}}
{{- define "casewatch.commonSettings" -}}
HOST: "0.0.0.0"
PORT: "8080"
METRICS_PORT: "9464"
PUBLIC_URL: {{ .Values.publicUrl | quote }}
LOG_LEVEL: {{ .Values.logLevel | quote }}
KAFKA_BROKERS: {{ include "casewatch.kafkaBrokers" . | quote }}
KAFKA_TOPIC_PREFIX: {{ .Values.kafka.topicPrefix | quote }}
KAFKA_PARTITIONS: {{ .Values.kafka.partitions | quote }}
{{- if or .Values.simulators.enabled .Values.inCluster.kafka.enabled }}
KAFKA_REPLICATION: "-1"
{{- else }}
KAFKA_REPLICATION: {{ .Values.kafka.replication | quote }}
KAFKA_MIN_IN_SYNC_REPLICAS: {{ .Values.kafka.minInSyncReplicas | quote }}
{{- end }}
KAFKA_SSL: {{ or .Values.kafka.tls .Values.inCluster.kafka.enabled | quote }}
{{- with include "casewatch.kafkaMechanism" . }}
KAFKA_SASL_MECHANISM: {{ . | quote }}
{{- end }}
AGENCY_CALLS_PER_SECOND: {{ .Values.agency.callsPerSecond | quote }}
AGENCY_CALLS_PER_DAY: {{ .Values.agency.callsPerDay | int64 | quote }}
AGENCY_MONITORING_SHARE: {{ .Values.agency.monitoringShare | quote }}
{{- if .Values.simulators.enabled }}
AGENCY_BASE_URL: {{ printf "http://%s-agency-simulator:8080" (include "casewatch.fullname" .) | quote }}
DEMO_ACCOUNTS: "true"
MONITORING_PERIOD_SCALE: {{ .Values.simulators.periodScale | quote }}
{{- else if .Values.agency.baseUrl }}
AGENCY_BASE_URL: {{ .Values.agency.baseUrl | quote }}
{{- end }}
{{- with .Values.monitoring.otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- end }}
{{- if .Values.caSecret }}
NODE_EXTRA_CA_CERTS: /etc/casewatch/ca/ca.crt
{{- end }}
{{- range $role, $_ := .Values.services }}
{{- if ne $role "gateway" }}
{{ $role | replace "-" "_" | upper }}_URL: {{ printf "http://%s-%s:8080" (include "casewatch.fullname" $) $role | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- /* What one role may know and no other: its own database role, its own credentials. Takes {root, role}. */ -}}
{{- define "casewatch.roleEnv" -}}
{{- $secrets := .root.Values.secrets -}}
{{- $values := include "casewatch.role" . | fromYaml -}}
- name: SERVICES
  value: {{ .role }}
- name: LEAVE_SECONDS
  value: {{ $values.preStopSeconds | quote }}
- name: DRAIN_SECONDS
  value: {{ $values.drainSeconds | quote }}
{{ include "casewatch.secretEnv" (dict "name" "INTERNAL_SECRET" "secret" $secrets.internal.name "key" "internal-secret") }}
{{ include "casewatch.secretEnv" (dict "name" "TOKEN_PUBLIC_KEY" "secret" $secrets.internal.name "key" "token-public-key") }}
{{ include "casewatch.redisEnv" .root }}
{{- if eq .role "gateway" }}
{{ include "casewatch.secretEnv" (dict "name" "TOKEN_PRIVATE_KEY" "secret" $secrets.internal.name "key" "token-private-key") }}
- name: TRUST_PROXY_HOPS
  value: {{ .root.Values.trustedProxyHops | quote }}
{{- else }}
{{ include "casewatch.databaseEnv" . }}
{{- with include "casewatch.kafkaEnv" .root }}
{{ . }}
{{- end }}
{{- end }}
{{- if eq .role "cases" }}
{{- if .root.Values.simulators.enabled }}
{{ include "casewatch.simulatorCredentials" .root }}
{{- else }}
{{ include "casewatch.secretEnv" (dict "name" "AGENCY_CLIENT_ID" "secret" $secrets.agency.name "key" "client-id") }}
{{ include "casewatch.secretEnv" (dict "name" "AGENCY_CLIENT_SECRET" "secret" $secrets.agency.name "key" "client-secret") }}
{{- end }}
{{- end }}
{{- if and (eq .role "billing") $secrets.stripe.name }}
{{ include "casewatch.secretEnv" (dict "name" "STRIPE_SECRET_KEY" "secret" $secrets.stripe.name "key" "secret-key") }}
{{ include "casewatch.secretEnv" (dict "name" "STRIPE_PUBLISHABLE_KEY" "secret" $secrets.stripe.name "key" "publishable-key") }}
{{ include "casewatch.secretEnv" (dict "name" "STRIPE_WEBHOOK_SECRET" "secret" $secrets.stripe.name "key" "webhook-secret") }}
{{- end }}
{{- if and (eq .role "notifications") $secrets.mail.name }}
{{ include "casewatch.secretEnv" (dict "name" "SMTP_URL" "secret" $secrets.mail.name "key" "smtp-url") }}
{{ include "casewatch.secretEnv" (dict "name" "MAIL_SECRET" "secret" $secrets.mail.name "key" "unsubscribe-secret") }}
- name: MAIL_FROM
  value: {{ .root.Values.mail.from | quote }}
{{- end }}
{{- if and (eq .role "identity") $secrets.admin.name }}
{{ include "casewatch.secretEnv" (dict "name" "ADMIN_PASSCODE" "secret" $secrets.admin.name "key" "passcode") }}
{{- end }}
{{- range $name, $value := $values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- /* The simulator lets in whoever knows the release; it holds nothing real. */ -}}
{{- define "casewatch.simulatorCredentials" -}}
- name: AGENCY_CLIENT_ID
  value: casewatch-simulated
- name: AGENCY_CLIENT_SECRET
  value: {{ printf "simulated-%s-%s" .Release.Namespace .Release.Name | sha256sum | trunc 32 | quote }}
{{- end -}}
