{{- define "chat-gateway.fullname" -}}
{{- if contains "chat-gateway" .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-chat-gateway" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "chat-gateway.selector" -}}
app.kubernetes.io/name: chat-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "chat-gateway.labels" -}}
{{ include "chat-gateway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}
