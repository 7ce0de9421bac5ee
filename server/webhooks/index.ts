export { createAnswerNotices } from './answer-notices.ts'
export { readWebhookAddress, writeWebhookAddress } from './kept-address.ts'
export { createWebhookRoutes } from './routes.ts'
export { type WebhooksDependencies, Webhooks } from './webhooks.ts'
