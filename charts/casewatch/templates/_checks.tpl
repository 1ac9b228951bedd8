{{- /* What the schema can't say: values that need each other. */ -}}
{{- define "casewatch.check" -}}
{{- $need := list -}}
{{- if not .Values.publicUrl -}}{{- $need = append $need "publicUrl: where people open the product, such as https://casewatch.example.com" -}}{{- end -}}
{{- if not .Values.kafka.brokers -}}{{- $need = append $need "kafka.brokers: host:port of the brokers" -}}{{- end -}}
{{- if not .Values.secrets.database.name -}}{{- $need = append $need "secrets.database.name: the secret with owner-url and one <service>-url per service" -}}{{- end -}}
{{- if not .Values.secrets.internal.name -}}{{- $need = append $need "secrets.internal.name: the secret with internal-secret, token-private-key and token-public-key" -}}{{- end -}}
{{- if not .Values.secrets.redis.name -}}{{- $need = append $need "secrets.redis.name: the secret with the key url" -}}{{- end -}}
{{- if and (not .Values.simulators.enabled) (not .Values.secrets.agency.name) -}}{{- $need = append $need "secrets.agency.name: the secret with client-id and client-secret (or simulators.enabled for trying out)" -}}{{- end -}}
{{- if and .Values.kafka.saslMechanism (not .Values.secrets.kafka.name) -}}{{- $need = append $need "secrets.kafka.name: kafka.saslMechanism needs the secret with username and password" -}}{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}{{- $need = append $need "httpRoute.parentRefs: which Gateways the route belongs to" -}}{{- end -}}
{{- range $role, $_ := .Values.services -}}
{{- $values := include "casewatch.role" (dict "root" $ "role" $role) | fromYaml -}}
{{- if gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas) -}}{{- $need = append $need (printf "services.%s.autoscaling: minReplicas is above maxReplicas" $role) -}}{{- end -}}
{{- end -}}
{{- if $need -}}
{{- fail (printf "\n\nThese values are missing or do not go together:\n  - %s\n" (join "\n  - " $need)) -}}
{{- end -}}
{{- end -}}
