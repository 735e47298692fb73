{{/* The name of every object. */}}
{{- define "atrium.name" -}}
{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "atrium.labels" -}}
{{ include "atrium.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "atrium.selector" -}}
app.kubernetes.io/name: atrium
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Whether replicas share one volume, or each has its own cache. */}}
{{- define "atrium.hasOwnCaches" -}}
{{- if hasKey .Values.settings "ATRIUM_TABLES_URL" }}true{{ end }}
{{- end }}
