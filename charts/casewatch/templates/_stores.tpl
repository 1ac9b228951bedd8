{{- /*
Where the data stores are and how one signs in: those of the values, or those in the cluster for evaluation
(templates/in-cluster.yaml), whose operators make or read the secrets that are named here.
*/ -}}

{{- /* Room for the longest suffix that an operator appends, `-kafka-kafka-bootstrap`, within 63 characters. */ -}}
{{- define "casewatch.storePrefix" -}}
{{- include "casewatch.fullname" . | trunc 38 | trimSuffix "-" -}}
{{- end -}}
{{- define "casewatch.postgresql" -}}{{ include "casewatch.storePrefix" . }}-postgresql{{- end -}}
{{- define "casewatch.kafka" -}}{{ include "casewatch.storePrefix" . }}-kafka{{- end -}}
{{- define "casewatch.redis" -}}{{ include "casewatch.storePrefix" . }}-redis{{- end -}}

{{- /* Not the release's own selector: operators hand labels on to their pods, which are none of its roles. Takes {root, name, store, labels}. */ -}}
{{- define "casewatch.storeMetadata" -}}
{{- $labels := dict "app.kubernetes.io/name" .store "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/managed-by" .root.Release.Service "app.kubernetes.io/part-of" "casewatch" "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") -}}
name: {{ .name }}
labels: {{- merge $labels (.labels | default dict) .root.Values.commonLabels | toYaml | nindent 2 }}
{{- with .root.Values.commonAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* What the restricted Pod Security level asks of the pods that the operators make. */ -}}
{{- define "casewatch.storePodSecurity" -}}
runAsNonRoot: true
seccompProfile: { type: RuntimeDefault }
{{- end -}}
{{- define "casewatch.storeContainerSecurity" -}}
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* `identity` is casewatch_identity in the database. */ -}}
{{- define "casewatch.databaseRole" -}}casewatch_{{ . | replace "-" "_" }}{{- end -}}

{{- /* Takes {root, user, secret}: DATABASE_URL of a user, whose password is in a secret. */ -}}
{{- define "casewatch.inClusterDatabaseUrl" -}}
{{ include "casewatch.secretEnv" (dict "name" "DATABASE_PASSWORD" "secret" .secret "key" "password") }}
- name: DATABASE_URL
  value: "postgresql://{{ .user }}@{{ include "casewatch.postgresql" .root }}-rw:5432/casewatch?sslmode=verify-full&sslrootcert=/etc/casewatch/postgresql-ca/ca.crt"
{{- end -}}

{{- /* What a service signs in to PostgreSQL with. Takes {root, role}. */ -}}
{{- define "casewatch.databaseEnv" -}}
{{- $own := .root.Values.inCluster.postgresql -}}
{{- if $own.enabled -}}
{{ include "casewatch.inClusterDatabaseUrl" (dict "root" .root "user" (include "casewatch.databaseRole" .role) "secret" (printf "%s-%s" $own.roleSecretPrefix .role)) }}
{{- else -}}
{{ include "casewatch.databaseUrl" (dict "root" .root "name" "DATABASE" "role" .role) }}
{{- if .root.Values.postgres.pooler.enabled }}
{{ include "casewatch.ownSecretEnv" (dict "root" .root "name" "DATABASE_DIRECT_URL" "group" "database" "key" (printf "%s-direct-url" .role)) }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* What the migrations sign in with: the owner, and the URLs whose roles they make. CloudNativePG makes its roles itself. */ -}}
{{- define "casewatch.ownerEnv" -}}
{{- if .Values.inCluster.postgresql.enabled -}}
{{ include "casewatch.inClusterDatabaseUrl" (dict "root" . "user" "casewatch" "secret" (printf "%s-app" (include "casewatch.postgresql" .))) }}
{{- else -}}
{{ include "casewatch.loginEnv" (dict "root" . "name" "DATABASE" "url" .Values.postgres.url "group" "database" "key" "owner-") }}
{{ include "casewatch.serviceUrlsEnv" . }}
{{- end -}}
{{- end -}}

{{- /* Each service's own login, which reaches its outbox alone, past a transaction pooler; in the cluster the owner's. */ -}}
{{- define "casewatch.publishAgainEnv" -}}
{{- if .Values.inCluster.postgresql.enabled -}}
{{ include "casewatch.ownerEnv" . }}
{{- else if .Values.postgres.pooler.enabled -}}
{{- range $role := keys (omit .Values.services "gateway") | sortAlpha }}
{{ include "casewatch.ownSecretEnv" (dict "root" $ "name" (printf "%s_DATABASE_URL" ($role | replace "-" "_" | upper)) "group" "database" "key" (printf "%s-direct-url" $role)) }}
{{- end }}
{{- else -}}
{{ include "casewatch.serviceUrlsEnv" . }}
{{- end -}}
{{- end -}}

{{- /* What every service signs in with, by its own settings: IDENTITY_DATABASE_URL and its siblings. */ -}}
{{- define "casewatch.serviceUrlsEnv" -}}
{{- range $index, $role := keys (omit .Values.services "gateway") | sortAlpha }}
{{- if $index }}
{{ end -}}
{{- include "casewatch.databaseUrl" (dict "root" $ "name" (printf "%s_DATABASE" ($role | replace "-" "_" | upper)) "role" $role) }}
{{- end -}}
{{- end -}}

{{- /* What a service signs in with, as <name>_URL. Takes {root, name, role}. */ -}}
{{- define "casewatch.databaseUrl" -}}
{{- $url := regexReplaceAll "://" .root.Values.postgres.url (printf "://%s@" (include "casewatch.databaseRole" .role)) -}}
{{- include "casewatch.loginEnv" (dict "root" .root "name" .name "url" $url "group" "database" "key" (printf "%s-" .role)) -}}
{{- end -}}

{{- /* <name>_URL from the key <key>url of a secret; where the values have a URL, that, with <key>username and <key>password from there. Takes {root, name, url, group, key}. */ -}}
{{- define "casewatch.loginEnv" -}}
{{- if .url -}}
- name: {{ .name }}_URL
  value: {{ .url | quote }}
{{- range $login := ternary (list "username" "password") list (not (empty (index .root.Values.secrets .group "name"))) }}
{{ include "casewatch.ownSecretEnv" (dict "root" $.root "name" (printf "%s_%s" $.name (upper $login)) "group" $.group "key" (printf "%s%s" $.key $login) "optional" (and (eq $login "username") (ne $.key "owner-"))) }}
{{- end }}
{{- else -}}
{{- include "casewatch.ownSecretEnv" (dict "root" .root "name" (printf "%s_URL" .name) "group" .group "key" (printf "%surl" .key)) -}}
{{- end -}}
{{- end -}}

{{- define "casewatch.kafkaBrokers" -}}
{{- ternary (printf "%s-kafka-bootstrap:9093" (include "casewatch.kafka" .)) .Values.kafka.brokers .Values.inCluster.kafka.enabled -}}
{{- end -}}

{{- define "casewatch.kafkaMechanism" -}}
{{- ternary "scram-sha-512" .Values.kafka.saslMechanism .Values.inCluster.kafka.enabled -}}
{{- end -}}

{{- /* What a service signs in to Kafka with, and whom it trusts; empty where there is nothing to say. */ -}}
{{- define "casewatch.kafkaEnv" -}}
{{- with include "casewatch.kafkaMechanism" . -}}
- name: KAFKA_SASL_MECHANISM
  value: {{ . | quote }}
{{ end -}}
{{- if .Values.inCluster.kafka.enabled -}}
- name: KAFKA_SASL_USERNAME
  value: {{ include "casewatch.kafka" . }}
{{ include "casewatch.secretEnv" (dict "name" "KAFKA_SASL_PASSWORD" "secret" (include "casewatch.kafka" .) "key" "password") }}
{{ include "casewatch.secretEnv" (dict "name" "KAFKA_SSL_CA" "secret" (printf "%s-cluster-ca-cert" (include "casewatch.kafka" .)) "key" "ca.crt") }}
{{- else -}}
{{- range $index, $secret := include "casewatch.kafkaSecrets" . | fromYamlArray }}
{{- if $index }}
{{ end -}}
{{- if eq $secret.group "kafkaCertificate" -}}
- name: {{ $secret.name }}
  value: /etc/casewatch/kafka/{{ $secret.key }}
{{- else -}}
{{- include "casewatch.ownSecretEnv" (dict "root" $ "name" $secret.name "group" $secret.group "key" $secret.key) }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* A renewed certificate is there within a minute or two, and is shown from the next connection on. */ -}}
{{- define "casewatch.kafkaCertificateVolume" -}}
name: kafka-certificate
secret:
  secretName: {{ .Values.secrets.kafkaCertificate.name }}
  defaultMode: 288
  items:
    {{- range $key := list "tls.crt" "tls.key" }}
    - { key: {{ include "casewatch.secretKey" (dict "root" $ "group" "kafkaCertificate" "key" $key) | quote }}, path: {{ $key }} }
    {{- end }}
{{- end -}}

{{- /* What is read from secrets to sign in to a Kafka of one's own, as a YAML list; `keda` is KEDA's name for it. */ -}}
{{- define "casewatch.kafkaSecrets" -}}
{{- $oauth := eq .Values.kafka.saslMechanism "oauthbearer" -}}
{{- if .Values.kafka.saslMechanism }}
- { name: {{ ternary "KAFKA_OAUTH_CLIENT_ID" "KAFKA_SASL_USERNAME" $oauth }}, group: kafka, key: {{ ternary "client-id" "username" $oauth }}, keda: username }
- { name: {{ ternary "KAFKA_OAUTH_CLIENT_SECRET" "KAFKA_SASL_PASSWORD" $oauth }}, group: kafka, key: {{ ternary "client-secret" "password" $oauth }}, keda: password }
{{- end }}
{{- if .Values.secrets.kafkaCertificate.name }}
- { name: KAFKA_SSL_CERT, group: kafkaCertificate, key: tls.crt, keda: cert }
- { name: KAFKA_SSL_KEY, group: kafkaCertificate, key: tls.key, keda: key }
{{- end }}
{{- end -}}

{{- /* The same for KEDA, which signs in by itself. */ -}}
{{- define "casewatch.kedaSecrets" -}}
{{- range include "casewatch.kafkaSecrets" . | fromYamlArray }}
- { parameter: {{ .keda }}, name: {{ index $.Values.secrets .group "name" }}, key: {{ include "casewatch.secretKey" (dict "root" $ "group" .group "key" .key) }} }
{{- end }}
{{- if and .Values.kafka.tls .Values.caSecret }}
- { parameter: ca, name: {{ .Values.caSecret }}, key: ca.crt }
{{- end }}
{{- end -}}

{{- define "casewatch.redisRoles" -}}[gateway, identity, notifications, streams]{{- end -}}
{{- define "casewatch.redisEnv" -}}
{{- $own := .Values.inCluster.redis -}}
{{- if $own.enabled -}}
{{ include "casewatch.secretEnv" (dict "name" "REDIS_PASSWORD" "secret" $own.passwordSecret.name "key" $own.passwordSecret.key) }}
- name: REDIS_URL
  value: "redis://{{ include "casewatch.redis" . }}:6379"
{{- else -}}
{{ include "casewatch.loginEnv" (dict "root" . "name" "REDIS" "url" .Values.redis.url "group" "redis" "key" "") }}
{{- end -}}
{{- end -}}
