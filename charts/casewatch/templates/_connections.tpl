{{- /* Settings that say how many connections one process of a service opens, with the product's defaults; a test compares them. */ -}}
{{- define "casewatch.connectionSettings" -}}
identity: { IDENTITY_DATABASE_CONNECTIONS: 10 }
cases: { CASES_DATABASE_CONNECTIONS: 10 }
monitoring: { MONITORING_DATABASE_CONNECTIONS: 8 }
notifications: { NOTIFICATIONS_DATABASE_CONNECTIONS: 10 }
billing: { BILLING_DATABASE_CONNECTIONS: 10, BILLING_USERS_AT_ONCE: 16 }
surveys: { SURVEYS_DATABASE_CONNECTIONS: 10 }
admin-log: { ADMIN_LOG_DATABASE_CONNECTIONS: 6 }
{{- end -}}

{{- /* Connections of one process of a service: its settings', eight for its events (relay, outbox, consumers), and one that
notifications listens on. Takes {root, service, env}. */ -}}
{{- define "casewatch.serviceConnections" -}}
{{- $sum := 8 -}}
{{- if eq .service "notifications" -}}{{- $sum = 9 -}}{{- end -}}
{{- $env := mergeOverwrite (deepCopy (.root.Values.settings | default dict)) (deepCopy (.env | default dict)) -}}
{{- range $name, $default := index (include "casewatch.connectionSettings" . | fromYaml) .service -}}
{{- $sum = add $sum (int (get $env $name | default $default)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{- /* The most connections to PostgreSQL: at most replicas, with one more of each role while it is rolled. */ -}}
{{- define "casewatch.connections" -}}
{{- $sum := 0 -}}
{{- range $role := include "casewatch.roles" . | fromYamlArray -}}
{{- $values := include "casewatch.role" (dict "root" $ "role" $role) | fromYaml -}}
{{- $scaled := not (empty (include "casewatch.scaler" (dict "root" $ "role" $role))) -}}
{{- $pods := ternary 1 (add 1 (int (ternary $values.autoscaling.maxReplicas $values.replicas $scaled))) (eq $role "all") -}}
{{- $services := ternary (keys (omit $.Values.services "gateway")) (without (list $role) "gateway") (eq $role "all") -}}
{{- range $service := $services -}}
{{- $sum = add $sum (mul $pods (int (include "casewatch.serviceConnections" (dict "root" $ "service" $service "env" $values.env)))) -}}
{{- end -}}
{{- end -}}
{{- $sum -}}
{{- end -}}
