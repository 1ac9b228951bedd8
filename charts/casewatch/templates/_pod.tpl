{{- /* What the restricted Pod Security level asks for, and no service account token. */ -}}
{{- define "casewatch.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "casewatch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "casewatch.caVolume" -}}
{{- if .Values.caSecret }}
- name: ca
  secret: { secretName: {{ .Values.caSecret | quote }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end -}}

{{- define "casewatch.caMount" -}}
{{- if .Values.caSecret }}
- { name: ca, mountPath: /etc/casewatch/ca, readOnly: true }
{{- end }}
{{- end -}}
