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

{{- /* Authorities to trust: one of your own, and that of the PostgreSQL in the cluster. */ -}}
{{- define "casewatch.caVolume" -}}
{{- if .Values.caSecret }}
- name: ca
  secret: { secretName: {{ .Values.caSecret | quote }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- if .Values.inCluster.postgresql.enabled }}
- name: postgresql-ca
  secret: { secretName: {{ include "casewatch.postgresql" . }}-ca, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end -}}

{{- define "casewatch.caMount" -}}
{{- if .Values.caSecret }}
- { name: ca, mountPath: /etc/casewatch/ca, readOnly: true }
{{- end }}
{{- if .Values.inCluster.postgresql.enabled }}
- { name: postgresql-ca, mountPath: /etc/casewatch/postgresql-ca, readOnly: true }
{{- end }}
{{- end -}}
