{{- /* The migrations, or what else has to be done in the database before the roll. Takes {root, component, name, weight, args, logins}. */ -}}
{{- define "casewatch.databaseJob" -}}
{{- $own := .root.Values.migrations -}}
{{- /* As a part of the release, it is a new one with each revision: a Job can't be changed. */ -}}
{{- $isHook := eq (include "casewatch.isMigrationHook" .root) "true" -}}
{{- /* With room for a revision of many digits within 63 characters. */ -}}
{{- $name := printf "%s-%s" (include (ternary "casewatch.fullname" "casewatch.storePrefix" $isHook) .root) .name -}}
{{- if not $isHook }}{{ $name = printf "%s-%d" $name .root.Release.Revision }}{{ end -}}
apiVersion: batch/v1
kind: Job
metadata: {{- include "casewatch.metadata" (dict "root" .root "name" $name "component" .component "annotations" (include "casewatch.migrationAnnotations" . | fromYaml)) | nindent 2 }}
spec:
  {{- /* A database in the cluster takes its minutes to come up: there the deadline alone decides. */}}
  backoffLimit: {{ ternary $own.backoffLimit 20 $isHook }}
  activeDeadlineSeconds: {{ $own.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels: {{- include "casewatch.podLabels" (dict "root" .root "component" .component "labels" $own.podLabels) | nindent 8 }}
      {{- with $own.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      restartPolicy: Never
      serviceAccountName: {{ include "casewatch.fullname" .root }}-migrate
      {{- include "casewatch.podSecurity" .root | nindent 6 }}
      {{- include "casewatch.placement" .root.Values.defaults | nindent 6 }}
      {{- with concat $own.initContainers (include "casewatch.nativeSidecars" $own.sidecars | fromYamlArray) }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .component }}
          image: {{ include "casewatch.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: {{ toJson .args }}
          {{- with $own.envFrom }}
          envFrom: {{- toYaml . | nindent 12 }}
          {{- end }}
          env: {{- include "casewatch.migrationEnv" . | nindent 12 }}
          resources: {{- toYaml $own.resources | nindent 12 }}
          securityContext: {{- include "casewatch.containerSecurity" .root | nindent 12 }}
          {{- include "casewatch.termination" .root | nindent 10 }}
          volumeMounts: {{- include "casewatch.once" (dict "list" (concat (include "casewatch.volumeMounts" .root | fromYamlArray) $own.volumeMounts) "key" "mountPath") | nindent 12 }}
      volumes: {{- include "casewatch.once" (dict "list" (concat (include "casewatch.volumes" .root | fromYamlArray) $own.volumes) "key" "name") | nindent 8 }}
{{- end -}}
