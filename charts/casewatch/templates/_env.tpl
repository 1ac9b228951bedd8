{{- /* Reads one key of a secret. Takes {name, secret, key, optional}. */ -}}
{{- define "casewatch.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }}{{ if .optional }}, optional: true{{ end }} }
{{- end -}}

{{- /* The key of a secret of the values, which may have another name there. Takes {root, group, key}. */ -}}
{{- define "casewatch.secretKey" -}}
{{- index (index .root.Values.secrets .group "keys" | default dict) .key | default .key -}}
{{- end -}}

{{- /* Reads one key of a secret of the values. Takes {root, name, group, key, optional}. */ -}}
{{- define "casewatch.ownSecretEnv" -}}
{{- include "casewatch.secretEnv" (dict "name" .name "secret" (index .root.Values.secrets .group "name") "key" (include "casewatch.secretKey" .) "optional" .optional) -}}
{{- end -}}

{{- /* Settings that every role has, none of them secret: the ConfigMap's data. */ -}}
{{- define "casewatch.commonSettings" -}}
HOST: {{ include "casewatch.listenHost" . | quote }}
PORT: "8080"
METRICS_PORT: "9464"
PUBLIC_URL: {{ .Values.publicUrl | quote }}
LOG_LEVEL: {{ .Values.logLevel | quote }}
{{- range $name, $value := .Values.operator }}
{{- with $value }}
OPERATOR_{{ upper $name }}: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .Values.policies.date }}
POLICIES_DATE: {{ . | quote }}
{{- end }}
{{- with .Values.policies.elsewhere }}
POLICY_PAGES_ELSEWHERE: "{{ range $name, $url := . }}{{ $name }}={{ $url }} {{ end }}"
{{- end }}
{{- if ne .Values.mode "single" }}
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
{{- with .Values.kafka.oauth.tokenUrl }}
KAFKA_OAUTH_TOKEN_URL: {{ . | quote }}
{{- end }}
{{- with .Values.kafka.oauth.scope }}
KAFKA_OAUTH_SCOPE: {{ . | quote }}
{{- end }}
{{- end }}
AGENCY_CALLS_PER_SECOND: {{ .Values.agency.callsPerSecond | quote }}
{{- with .Values.agency.callsPerDay }}
AGENCY_CALLS_PER_DAY: {{ . | int64 | quote }}
{{- end }}
AGENCY_MONITORING_SHARE: {{ .Values.agency.monitoringShare | quote }}
{{- if .Values.simulators.enabled }}
AGENCY_BASE_URL: {{ printf "http://%s-agency-simulator:8080" (include "casewatch.fullname" .) | quote }}
DEMO_ACCOUNTS: "true"
MONITORING_PERIOD_SCALE: {{ .Values.simulators.periodScale | quote }}
{{- else if .Values.agency.baseUrl }}
AGENCY_BASE_URL: {{ .Values.agency.baseUrl | quote }}
{{- end }}
{{- if .Values.simulators.payments.enabled }}
STRIPE_SCRIPT_URL: {{ printf "%s/v3/" (.Values.simulators.payments.publicUrl | trimSuffix "/") | quote }}
{{- end }}
{{- with .Values.proxy.url }}
HTTPS_PROXY: {{ . | quote }}
NO_PROXY: {{ $.Values.proxy.noProxy | quote }}
# Node's own fetch, by which single sign-on and Kafka's tokens are asked for.
NODE_USE_ENV_PROXY: "1"
{{- end }}
{{- with .Values.monitoring.otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- end }}
{{- if .Values.caSecret }}
NODE_EXTRA_CA_CERTS: /etc/casewatch/ca/ca.crt
{{- end }}
{{- range $role, $_ := .Values.services }}
{{- if and (ne $role "gateway") (ne $.Values.mode "single") }}
{{ $role | replace "-" "_" | upper }}_URL: {{ printf "http://%s-%s:8080" (include "casewatch.fullname" $) $role | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* The ConfigMap's data: these, and `settings`, which win. A large number stays one: as text YAML would write 1e+06. */ -}}
{{- define "casewatch.configData" -}}
{{- $data := include "casewatch.commonSettings" . | fromYaml -}}
{{- range $name, $value := .Values.settings }}{{ $_ := set $data $name (ternary $value (toJson $value) (kindIs "string" $value)) }}{{ end -}}
{{- toYaml $data -}}
{{- end -}}

{{- /* A container's environment: what the role may know, and its own settings, which win. Takes {root, role}. */ -}}
{{- define "casewatch.env" -}}
{{- include "casewatch.withSettings" (dict "env" (include "casewatch.roleEnv" . | fromYamlArray) "settings" (include "casewatch.role" . | fromYaml).env) -}}
{{- end -}}

{{- /* Takes {root, logins}: the latter the name of what is signed in with. */ -}}
{{- define "casewatch.migrationEnv" -}}
{{- $env := include .logins .root | fromYamlArray -}}
{{- $env = prepend $env (dict "name" "LOG_LEVEL" "value" .root.Values.logLevel) -}}
{{- if .root.Values.caSecret }}{{ $env = append $env (dict "name" "NODE_EXTRA_CA_CERTS" "value" "/etc/casewatch/ca/ca.crt") }}{{ end -}}
{{- include "casewatch.withSettings" (dict "env" $env "settings" .root.Values.migrations.env) -}}
{{- end -}}

{{- /* Takes {env, settings}: the latter win. */ -}}
{{- define "casewatch.withSettings" -}}
{{- $env := .env -}}
{{- range $name, $value := .settings -}}
{{- $env = append $env (dict "name" $name "value" (ternary $value (toJson $value) (kindIs "string" $value))) -}}
{{- end -}}
{{- include "casewatch.once" (dict "list" $env "key" "name") -}}
{{- end -}}

{{- /* A list in which of several with the same `key` the last stands, at the place of the first. Takes {list, key}. */ -}}
{{- define "casewatch.once" -}}
{{- $last := dict -}}
{{- $keys := list -}}
{{- range .list }}{{ $id := get . $.key }}{{ $keys = append $keys $id }}{{ $_ := set $last $id . }}{{ end -}}
{{- $once := list -}}
{{- range uniq $keys }}{{ $once = append $once (get $last .) }}{{ end -}}
{{- toYaml $once -}}
{{- end -}}

{{- /* What one role may know and no other: its own database role, its own credentials. Takes {root, role}. */ -}}
{{- define "casewatch.roleEnv" -}}
{{- $secrets := .root.Values.secrets -}}
{{- $all := eq .role "all" -}}
{{- $values := include "casewatch.role" . | fromYaml -}}
- name: SERVICES
  value: {{ ternary (prepend (keys (omit .root.Values.services "gateway") | sortAlpha) "gateway" | join ",") .role $all }}
- name: LEAVE_SECONDS
  value: {{ $values.preStopSeconds | quote }}
- name: DRAIN_SECONDS
  value: {{ $values.drainSeconds | quote }}
- name: STREAM_DRAIN_SECONDS
  value: {{ sub $values.drainSeconds 5 | max 0 | quote }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "INTERNAL_SECRET" "group" "internal" "key" "internal-secret") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "TOKEN_PUBLIC_KEY" "group" "internal" "key" "token-public-key") }}
{{- if or (has .role (include "casewatch.redisRoles" . | fromYamlArray)) (and $all (or $secrets.redis.name .root.Values.redis.url .root.Values.inCluster.redis.enabled)) }}
{{ include "casewatch.redisEnv" .root }}
{{- end }}
{{- if or $all (eq .role "gateway") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "TOKEN_PRIVATE_KEY" "group" "internal" "key" "token-private-key") }}
{{- end }}
{{- if or $all (has .role (list "gateway" "streams")) }}
- name: TRUST_PROXY_HOPS
  value: {{ .root.Values.trustedProxyHops | quote }}
{{- end }}
{{- if and (eq .role "gateway") .root.Values.streams.enabled }}
- name: STREAMS_URL
  value: {{ printf "http://%s-streams:8080" (include "casewatch.fullname" .root) | quote }}
{{- end }}
{{- if and .root.Values.policies.configMap (or $all (eq .role "gateway")) }}
- name: POLICY_PAGES_DIR
  value: /etc/casewatch/policies
{{- end }}
{{- if or $all (eq .role "gateway") (eq .role "notifications") }}
{{- with .root.Values.support.email }}
- name: SUPPORT_EMAIL
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.support.url }}
- name: SUPPORT_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if $all }}
{{ include "casewatch.serviceUrlsEnv" .root }}
{{- if .root.Values.postgres.pooler.enabled }}
{{- range $service := keys (omit .root.Values.services "gateway") | sortAlpha }}
{{ include "casewatch.ownSecretEnv" (dict "root" $.root "name" (printf "%s_DATABASE_DIRECT_URL" ($service | replace "-" "_" | upper)) "group" "database" "key" (printf "%s-direct-url" $service)) }}
{{- end }}
{{- end }}
{{- else if eq .role "streams" }}
{{ include "casewatch.databaseEnv" (dict "root" .root "role" "notifications") }}
{{- else if ne .role "gateway" }}
{{ include "casewatch.databaseEnv" . }}
{{- with include "casewatch.kafkaEnv" .root }}
{{ . }}
{{- end }}
{{- end }}
{{- if or $all (eq .role "cases") }}
{{- if .root.Values.simulators.enabled }}
{{ include "casewatch.simulatorCredentials" .root }}
{{- else }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "AGENCY_CLIENT_ID" "group" "agency" "key" "client-id") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "AGENCY_CLIENT_SECRET" "group" "agency" "key" "client-secret") }}
{{- if .root.Values.agency.nextKeys }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "AGENCY_NEXT_CLIENT_ID" "group" "agency" "key" "next-client-id") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "AGENCY_NEXT_CLIENT_SECRET" "group" "agency" "key" "next-client-secret") }}
{{- with .root.Values.agency.nextKeyIssued }}
- name: AGENCY_NEXT_KEY_ISSUED
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- with .root.Values.agency.keyIssued }}
- name: AGENCY_KEY_ISSUED
  value: {{ . | quote }}
{{- end }}
- name: AGENCY_KEY_DAYS
  value: {{ .root.Values.agency.keyDays | quote }}
{{- if .root.Values.agency.headers }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "AGENCY_HEADERS" "group" "agency" "key" "headers") }}
{{- end }}
{{- with .root.Values.agency.demoId }}
- name: AGENCY_DEMO_ID
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (or $all (eq .role "billing")) .root.Values.simulators.payments.enabled }}
- name: STRIPE_API_BASE
  value: {{ printf "http://%s-payments-simulator:8080" (include "casewatch.fullname" .root) | quote }}
{{ include "casewatch.simulatedPayments" .root }}
{{- else if and (or $all (eq .role "billing")) $secrets.stripe.name }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "STRIPE_SECRET_KEY" "group" "stripe" "key" "secret-key") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "STRIPE_PUBLISHABLE_KEY" "group" "stripe" "key" "publishable-key") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "STRIPE_WEBHOOK_SECRET" "group" "stripe" "key" "webhook-secret") }}
{{- end }}
{{- if and (or $all (eq .role "notifications")) $secrets.mail.name }}
{{ include "casewatch.loginEnv" (dict "root" .root "name" "SMTP" "url" .root.Values.mail.url "group" "mail" "key" "smtp-") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "MAIL_SECRET" "group" "mail" "key" "unsubscribe-secret") }}
{{- if .root.Values.mail.reports }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "MAIL_REPORT_SECRET" "group" "mail" "key" "report-secret") }}
{{- end }}
- name: MAIL_FROM
  value: {{ .root.Values.mail.from | quote }}
{{- end }}
{{- if and (or $all (eq .role "notifications")) $secrets.push.name }}
- name: PUSH_VAPID_PUBLIC_KEY
  value: {{ .root.Values.push.publicKey | quote }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "PUSH_VAPID_PRIVATE_KEY" "group" "push" "key" "vapid-private-key") }}
- name: PUSH_SUBJECT
  value: {{ .root.Values.push.subject | quote }}
{{- with .root.Values.push.hosts }}
- name: PUSH_HOSTS
  value: {{ join "," . | quote }}
{{- end }}
{{- end }}
{{- if and (or $all (eq .role "identity")) $secrets.mail.name }}
- name: ACCOUNT_MAILS
  value: "true"
{{- end }}
{{- if and (or $all (eq .role "identity")) $secrets.admin.name }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "ADMIN_PASSCODE" "group" "admin" "key" "passcode") }}
{{- end }}
{{- if and (or $all (eq .role "identity")) .root.Values.singleSignOn.issuer }}
- name: ADMIN_OIDC_ISSUER
  value: {{ .root.Values.singleSignOn.issuer | quote }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "ADMIN_OIDC_CLIENT_ID" "group" "singleSignOn" "key" "client-id") }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "ADMIN_OIDC_CLIENT_SECRET" "group" "singleSignOn" "key" "client-secret") }}
{{- with .root.Values.singleSignOn.label }}
- name: ADMIN_OIDC_LABEL
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.singleSignOn.roles }}
- name: ADMIN_OIDC_ROLES
  value: {{ toJson . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* A simulator accepts anyone who knows the release name; it holds no real data. Takes {root, key}. */ -}}
{{- define "casewatch.simulatedSecret" -}}
{{- printf "%s-%s-%s" .key .root.Release.Namespace .root.Release.Name | sha256sum | trunc 32 -}}
{{- end -}}

{{- define "casewatch.simulatorCredentials" -}}
- name: AGENCY_CLIENT_ID
  value: casewatch-simulated
- name: AGENCY_CLIENT_SECRET
  value: {{ include "casewatch.simulatedSecret" (dict "root" . "key" "simulated") | quote }}
{{- end -}}

{{- define "casewatch.simulatedPayments" -}}
- name: STRIPE_SECRET_KEY
  value: sk_test_{{ include "casewatch.simulatedSecret" (dict "root" . "key" "payments-secret") }}
- name: STRIPE_PUBLISHABLE_KEY
  value: pk_test_{{ include "casewatch.simulatedSecret" (dict "root" . "key" "payments-publishable") }}
- name: STRIPE_WEBHOOK_SECRET
  value: whsec_{{ include "casewatch.simulatedSecret" (dict "root" . "key" "payments-webhook") }}
{{- end -}}
