{{- /* What the restricted Pod Security level asks for, and no service account token. */ -}}
{{- define "casewatch.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Where pods may run and how much they matter. Takes the values of a role, or `defaults`. */ -}}
{{- define "casewatch.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "casewatch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* Defaults of the API server, as everywhere inside lists: where they are left out, Argo CD and Flux see a difference for ever. */ -}}
{{- define "casewatch.termination" -}}
terminationMessagePath: /dev/termination-log
terminationMessagePolicy: File
{{- end -}}

{{- /* Whether the migrations come before everything else of the release. A database of the release itself is not there before it. */ -}}
{{- define "casewatch.isMigrationHook" -}}
{{- if and .Values.migrations.hook (not .Values.inCluster.postgresql.enabled) -}}true{{- end -}}
{{- end -}}

{{- /* Annotations of the Job and of what it needs, as YAML. Takes {root, weight}. */ -}}
{{- define "casewatch.migrationAnnotations" -}}
{{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" (toString .weight) "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" -}}
{{- merge (ternary $hook dict (eq (include "casewatch.isMigrationHook" .root) "true")) .root.Values.migrations.annotations | toYaml -}}
{{- end -}}

{{- /* Takes {path, period, timeout, failures}. */ -}}
{{- define "casewatch.probe" -}}
httpGet: { path: {{ .path }}, port: http, scheme: HTTP }
periodSeconds: {{ .period }}
timeoutSeconds: {{ .timeout }}
successThreshold: 1
failureThreshold: {{ .failures }}
{{- end -}}

{{- /* Room for what programs write, and authorities to trust: one of your own, and that of the PostgreSQL in the cluster. */ -}}
{{- define "casewatch.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- if .Values.caSecret }}
- name: ca
  secret: { secretName: {{ .Values.caSecret | quote }}, defaultMode: 420, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- if .Values.inCluster.postgresql.enabled }}
- name: postgresql-ca
  secret: { secretName: {{ include "casewatch.postgresql" . }}-ca, defaultMode: 420, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end -}}

{{- define "casewatch.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.caSecret }}
- { name: ca, mountPath: /etc/casewatch/ca, readOnly: true }
{{- end }}
{{- if .Values.inCluster.postgresql.enabled }}
- { name: postgresql-ca, mountPath: /etc/casewatch/postgresql-ca, readOnly: true }
{{- end }}
{{- end -}}

{{- /* Sidecars of a Job: Kubernetes ends those with restartPolicy Always when the Job's own container has ended. */ -}}
{{- define "casewatch.nativeSidecars" -}}
{{- range . }}
- {{ merge (dict "restartPolicy" "Always") . | toJson }}
{{- end }}
{{- end -}}
