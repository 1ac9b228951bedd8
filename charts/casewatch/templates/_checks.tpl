{{- /* What the schema can't say: values that need each other. */ -}}
{{- define "casewatch.check" -}}
{{- $need := list -}}
{{- if not .Values.publicUrl -}}{{- $need = append $need "publicUrl: where people open the product, such as https://casewatch.example.com" -}}{{- end -}}
{{- if and .Values.publicUrl (not (regexMatch "^https?://(localhost|127[.0-9]+|\\[::1\\])(:|/|$)" .Values.publicUrl)) -}}
{{- $policies := list (dict "name" "policies.date" "value" .Values.policies.date) -}}
{{- if lt (len .Values.policies.elsewhere) 5 -}}{{- range $name := list "name" "address" "jurisdiction" "email" -}}{{- $policies = append $policies (dict "name" (printf "operator.%s" $name) "value" (get $.Values.operator $name)) -}}{{- end -}}{{- end -}}
{{- range $policies -}}{{- if not .value -}}{{- $need = append $need (printf "%s: the privacy policy and terms of use of a public installation have a placeholder for it (or, but for the date, policies.elsewhere: where all five pages are)" .name) -}}{{- end -}}{{- end -}}
{{- end -}}
{{- $own := .Values.inCluster -}}
{{- $single := eq .Values.mode "single" -}}
{{- if and (not $single) (not .Values.kafka.brokers) (not $own.kafka.enabled) -}}{{- $need = append $need "kafka.brokers: host:port of the brokers" -}}{{- end -}}
{{- if and (not .Values.secrets.database.name) (not $own.postgresql.enabled) -}}{{- $need = append $need "secrets.database.name: the secret with owner-url and one <service>-url per service" -}}{{- end -}}
{{- if not .Values.secrets.internal.name -}}{{- $need = append $need "secrets.internal.name: the secret with internal-secret, token-private-key and token-public-key" -}}{{- end -}}
{{- if and (not $single) (not .Values.secrets.redis.name) (not .Values.redis.url) (not $own.redis.enabled) -}}{{- $need = append $need "secrets.redis.name: the secret with the key url" -}}{{- end -}}
{{- if and (not .Values.simulators.enabled) (not .Values.secrets.agency.name) -}}{{- $need = append $need "secrets.agency.name: the secret with client-id and client-secret (or simulators.enabled for evaluation)" -}}{{- end -}}
{{- $agencyHost := regexReplaceAll "^https?://([^/:]*[^/:.])\\.*(:[0-9]*)?(/.*)?$" .Values.agency.baseUrl "${1}" -}}
{{- if and (not .Values.simulators.enabled) (eq (.Values.agency.callsPerDay | default 1000 | int64) 1000) (regexMatch "(^|\\.)uscis\\.gov$" $agencyHost) (ne $agencyHost "api-int.uscis.gov") -}}{{- $need = append $need "agency.callsPerDay: agency.baseUrl is in production; set it to the daily quota that the agency has agreed to, and agency.callsPerSecond to 10" -}}{{- end -}}
{{- if and .Values.agency.nextKeyIssued (not .Values.agency.nextKeys) -}}{{- $need = append $need "agency.nextKeys: agency.nextKeyIssued is the date of these keys; set it to true, with next-client-id and next-client-secret in the secret of secrets.agency" -}}{{- end -}}
{{- $need = concat $need (include "casewatch.inClusterFaults" . | fromYamlArray) -}}
{{- if $single -}}
{{- if or .Values.kafka.brokers .Values.kafka.saslMechanism $own.kafka.enabled .Values.keda.enabled -}}{{- $need = append $need "mode: single has no Kafka and no KEDA; leave kafka.brokers, kafka.saslMechanism, inCluster.kafka and keda out, or take mode: distributed" -}}{{- end -}}
{{- if $own.postgresql.enabled -}}{{- $need = append $need "mode: single takes a PostgreSQL of your own (secrets.database), not inCluster.postgresql" -}}{{- end -}}
{{- $all := include "casewatch.role" (dict "root" . "role" "all") | fromYaml -}}
{{- if or (ne (int $all.replicas) 1) $all.autoscaling.enabled -}}{{- $need = append $need "single.replicas: mode: single is one pod; for more take mode: distributed" -}}{{- end -}}
{{- end -}}
{{- if not (or $single .Values.simulators.enabled $own.kafka.enabled) -}}
{{- if lt (int .Values.kafka.replication) 3 -}}{{- $need = append $need "kafka.replication: at least 3; with fewer copies a broker that is lost takes events with it, or one that is down stops publishing" -}}{{- end -}}
{{- if or (lt (int .Values.kafka.minInSyncReplicas) 2) (ge (int .Values.kafka.minInSyncReplicas) (int .Values.kafka.replication)) -}}{{- $need = append $need "kafka.minInSyncReplicas: at least 2 and below kafka.replication" -}}{{- end -}}
{{- end -}}
{{- $oauth := eq .Values.kafka.saslMechanism "oauthbearer" -}}
{{- if and .Values.kafka.saslMechanism (not .Values.secrets.kafka.name) -}}{{- $need = append $need (printf "secrets.kafka.name: kafka.saslMechanism needs the secret with %s" (ternary "client-id and client-secret" "username and password" $oauth)) -}}{{- end -}}
{{- if and $oauth (not .Values.kafka.oauth.tokenUrl) -}}{{- $need = append $need "kafka.oauth.tokenUrl: where kafka.saslMechanism oauthbearer gets its tokens" -}}{{- end -}}
{{- if and $oauth (not .Values.kafka.tls) -}}{{- $need = append $need "kafka.tls: kafka.saslMechanism oauthbearer sends tokens that can be used by all who read them" -}}{{- end -}}
{{- if and (or .Values.kafka.oauth.tokenUrl .Values.kafka.oauth.scope) (not $oauth) -}}{{- $need = append $need "kafka.oauth: only with kafka.saslMechanism oauthbearer" -}}{{- end -}}
{{- if and .Values.secrets.kafkaCertificate.name (not .Values.kafka.tls) -}}{{- $need = append $need "kafka.tls: secrets.kafkaCertificate is shown to brokers that speak TLS" -}}{{- end -}}
{{- if .Values.simulators.payments.enabled -}}
{{- if not .Values.simulators.enabled -}}{{- $need = append $need "simulators.payments.enabled: for evaluation only, with simulators.enabled; real payments take secrets.stripe" -}}{{- end -}}
{{- if .Values.secrets.stripe.name -}}{{- $need = append $need "simulators.payments.enabled: take either that or Stripe (secrets.stripe.name), not both" -}}{{- end -}}
{{- if eq (include "casewatch.paymentsHost" .) (include "casewatch.host" .Values.publicUrl) -}}{{- $need = append $need "simulators.payments.publicUrl: needs a host of its own, or localhost for kubectl port-forward" -}}{{- end -}}
{{- end -}}
{{- if and .Values.secrets.mail.name (not .Values.mail.from) -}}{{- $need = append $need "mail.from: whom e-mails come from, such as Casewatch <notices@example.com>" -}}{{- end -}}
{{- $push := list (dict "name" "secrets.push.name" "value" .Values.secrets.push.name) (dict "name" "push.publicKey" "value" .Values.push.publicKey) (dict "name" "push.subject" "value" .Values.push.subject) -}}
{{- $lacking := list -}}{{- range $push -}}{{- if not .value -}}{{- $lacking = append $lacking .name -}}{{- end -}}{{- end -}}
{{- if and $lacking (or (lt (len $lacking) 3) .Values.push.hosts) -}}{{- $need = append $need (printf "%s: push messages need secrets.push.name, push.publicKey and push.subject together; npm run push-keys makes the keys (none of them and no push.hosts: no push messages)" (join ", " $lacking)) -}}{{- end -}}
{{- if and .Values.mail.url (not .Values.secrets.mail.name) -}}{{- $need = append $need "secrets.mail.name: mail.url needs the secret with smtp-username, smtp-password and unsubscribe-secret" -}}{{- end -}}
{{- if and .Values.postgres.url .Values.postgres.pooler.enabled -}}{{- $need = append $need "postgres.url: postgres.pooler needs two URLs for each service, which secrets.database has" -}}{{- end -}}
{{- if and .Values.singleSignOn.issuer (not .Values.secrets.singleSignOn.name) -}}{{- $need = append $need "secrets.singleSignOn.name: singleSignOn.issuer needs the secret with client-id and client-secret" -}}{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}{{- $need = append $need "httpRoute.parentRefs: which Gateways the route belongs to" -}}{{- end -}}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.metricsFrom) -}}{{- $need = append $need "networkPolicy.metricsFrom: the pods that may scrape metrics, such as [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]; without it the policies block every scrape of monitoring.serviceMonitor" -}}{{- end -}}
{{- if and .Values.monitoring.rules.enabled (not .Values.monitoring.rules.runbookBaseUrl) -}}{{- $need = append $need "monitoring.rules.runbookBaseUrl: where your people read docs/runbooks; every alert links to a page below it" -}}{{- end -}}
{{- if and .Values.postgres.pooler.enabled $own.postgresql.enabled -}}{{- $need = append $need "postgres.pooler.enabled: goes with a PostgreSQL of your own (secrets.database), not with inCluster.postgresql" -}}{{- end -}}
{{- $connections := int (include "casewatch.connections" .) -}}
{{- if gt $connections (int .Values.postgres.maxConnections) -}}{{- $need = append $need (printf "postgres.maxConnections: at most replicas, and with one pod more of each role during a roll, the product opens up to %d connections, above %d; raise PostgreSQL's max_connections and then this value, or lower autoscaling.maxReplicas or <SERVICE>_DATABASE_CONNECTIONS" $connections (int .Values.postgres.maxConnections)) -}}{{- end -}}
{{- if .Values.streams.enabled -}}
{{- if $single -}}{{- $need = append $need "streams.enabled: mode: single has one pod; for a role of its own take mode: distributed" -}}{{- end -}}
{{- if and .Values.keda.enabled (not .Values.keda.prometheusUrl) -}}{{- $need = append $need "keda.prometheusUrl: where KEDA reads how many event streams are open, to scale the streams role" -}}{{- end -}}
{{- end -}}
{{- range $role := append (keys .Values.services | sortAlpha) "streams" -}}
{{- $values := include "casewatch.role" (dict "root" $ "role" $role) | fromYaml -}}
{{- if gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas) -}}{{- $need = append $need (printf "%s.autoscaling: minReplicas is above maxReplicas" (ternary $role (printf "services.%s" $role) (eq $role "streams"))) -}}{{- end -}}
{{- if and (include "casewatch.scaler" (dict "root" $ "role" $role)) (gt (int $values.replicas) (int $values.autoscaling.minReplicas)) -}}{{- $need = append $need (printf "%s.autoscaling.minReplicas: below replicas (%d), which autoscaling takes the place of; raise it, or lower replicas" (ternary $role (printf "services.%s" $role) (eq $role "streams")) (int $values.replicas)) -}}{{- end -}}
{{- end -}}
{{- if $need -}}
{{- fail (printf "\n\nThese values are missing or do not go together:\n  - %s\n" (join "\n  - " $need)) -}}
{{- end -}}
{{- end -}}

{{- /* What keeps a data store from running in the cluster, as a YAML list. */ -}}
{{- define "casewatch.inClusterFaults" -}}
{{- $own := .Values.inCluster -}}
{{- $problems := list -}}
{{- if $own.postgresql.enabled -}}
{{- if or .Values.secrets.database.name .Values.postgres.url -}}{{- $problems = append $problems "inCluster.postgresql.enabled: take either that or a PostgreSQL of your own (secrets.database.name, postgres.url), not both" -}}{{- end -}}
{{- if not $own.postgresql.roleSecretPrefix -}}{{- $problems = append $problems "inCluster.postgresql.roleSecretPrefix: the beginning of the names of the secrets with the roles' passwords; the chart's README.md explains how to create them" -}}{{- end -}}
{{- if not (.Capabilities.APIVersions.Has "postgresql.cnpg.io/v1") -}}{{- $problems = append $problems "inCluster.postgresql.enabled: the cluster does not know postgresql.cnpg.io/v1; install the CloudNativePG operator first (helm template: --api-versions postgresql.cnpg.io/v1)" -}}{{- end -}}
{{- end -}}
{{- if $own.kafka.enabled -}}
{{- if or .Values.kafka.brokers .Values.secrets.kafka.name .Values.secrets.kafkaCertificate.name .Values.kafka.saslMechanism -}}{{- $problems = append $problems "inCluster.kafka.enabled: take either that or a Kafka of your own (kafka.brokers, kafka.saslMechanism, secrets.kafka.name, secrets.kafkaCertificate.name), not both" -}}{{- end -}}
{{- if .Values.keda.enabled -}}{{- $problems = append $problems "keda.enabled: scales on a Kafka of your own, not on inCluster.kafka" -}}{{- end -}}
{{- if not (.Capabilities.APIVersions.Has "kafka.strimzi.io/v1") -}}{{- $problems = append $problems "inCluster.kafka.enabled: the cluster does not know kafka.strimzi.io/v1; install the Strimzi operator, 0.49 or newer, first (helm template: --api-versions kafka.strimzi.io/v1)" -}}{{- end -}}
{{- end -}}
{{- if $own.redis.enabled -}}
{{- if or .Values.secrets.redis.name .Values.redis.url -}}{{- $problems = append $problems "inCluster.redis.enabled: take either that or a Redis of your own (secrets.redis.name, redis.url), not both" -}}{{- end -}}
{{- if not $own.redis.passwordSecret.name -}}{{- $problems = append $problems "inCluster.redis.passwordSecret.name: the secret with the password that Redis is to ask for" -}}{{- end -}}
{{- if not (.Capabilities.APIVersions.Has "redis.redis.opstreelabs.in/v1beta2") -}}{{- $problems = append $problems "inCluster.redis.enabled: the cluster does not know redis.redis.opstreelabs.in/v1beta2; install the Redis operator of OT-CONTAINER-KIT first (helm template: --api-versions redis.redis.opstreelabs.in/v1beta2)" -}}{{- end -}}
{{- end -}}
{{- toYaml $problems -}}
{{- end -}}
