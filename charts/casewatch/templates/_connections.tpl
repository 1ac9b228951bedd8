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

{{- /* Connections of one process of a service, as YAML. `sessions`: its relay, one that notifications listens on, one that cases calls
the agency with or stands by to, and those that hold billing's locks. `others`: its own, and seven for its events (outbox, consumers). Streams listen and read as notifications do, and
have no events. Takes {root, service, env}. */ -}}
{{- define "casewatch.serviceConnections" -}}
{{- $streams := eq .service "streams" -}}
{{- $sessions := ternary 2 1 (has .service (list "cases" "notifications")) -}}
{{- $others := ternary 0 7 $streams -}}
{{- $env := mergeOverwrite (deepCopy (.root.Values.settings | default dict)) (deepCopy (.env | default dict)) -}}
{{- range $name, $default := index (include "casewatch.connectionSettings" . | fromYaml) (ternary "notifications" .service $streams) -}}
{{- $count := int (get $env $name | default $default) -}}
{{- if eq $name "BILLING_USERS_AT_ONCE" -}}{{- $sessions = add $sessions $count -}}{{- else -}}{{- $others = add $others $count -}}{{- end -}}
{{- end -}}
{ sessions: {{ $sessions }}, others: {{ $others }} }
{{- end -}}

{{- /* The most connections that the product opens, by kind: at most replicas, with one more of each role while it is rolled. */ -}}
{{- define "casewatch.clientConnections" -}}
{{- $sessions := 0 -}}
{{- $others := 0 -}}
{{- range $role := include "casewatch.roles" . | fromYamlArray -}}
{{- $values := include "casewatch.role" (dict "root" $ "role" $role) | fromYaml -}}
{{- $scaled := not (empty (include "casewatch.scaler" (dict "root" $ "role" $role))) -}}
{{- $pods := ternary 1 (add 1 (int (ternary $values.autoscaling.maxReplicas $values.replicas $scaled))) (eq $role "all") -}}
{{- $services := ternary (keys (omit $.Values.services "gateway")) (without (list $role) "gateway") (eq $role "all") -}}
{{- range $service := $services -}}
{{- $one := include "casewatch.serviceConnections" (dict "root" $ "service" $service "env" $values.env) | fromYaml -}}
{{- $sessions = add $sessions (mul $pods (int $one.sessions)) -}}
{{- $others = add $others (mul $pods (int $one.others)) -}}
{{- end -}}
{{- end -}}
{ sessions: {{ $sessions }}, others: {{ $others }} }
{{- end -}}

{{- /* The most connections to PostgreSQL: behind a pooler, sessions and what the pooler opens. */ -}}
{{- define "casewatch.connections" -}}
{{- $clients := include "casewatch.clientConnections" . | fromYaml -}}
{{- $pooler := .Values.postgres.pooler -}}
{{- add (int $clients.sessions) (int (ternary $pooler.connections $clients.others $pooler.enabled)) -}}
{{- end -}}
