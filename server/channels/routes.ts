import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { StoredChannels } from './stored-channels.ts'
import type { Memberships } from './members/memberships.ts'
import type { Messages } from './messages/messages.ts'
import type { Search } from './messages/search.ts'
import type { IncomingMessages } from './webhooks/incoming-messages.ts'
import type { ChannelWebhooks } from './webhooks/channel-webhooks.ts'

const { channels } = endpoints

interface ChannelOperations {
  readonly stored: StoredChannels
  readonly memberships: Memberships
  readonly messages: Messages
  readonly search: Search
  readonly webhooks: ChannelWebhooks
  readonly incoming: IncomingMessages
}

export const createChannelRoutes = (operations: ChannelOperations): Route[] => [
  ...createWebhookRoutes(operations),
  ...createPlaceRoutes(operations),
  ...createMessageRoutes(operations),
]

const createPlaceRoutes = ({ stored, memberships, search }: ChannelOperations): Route[] => [
  route(channels.list, ({ caller }) => stored.list(caller)),
  route(channels.listAll, ({ caller }) => stored.listAll(caller)),
  route(channels.search, ({ caller, query }) => search.find(caller, query)),
  route(channels.ofUser, ({ caller, params }) => stored.ofUser(caller, params.user_id)),
  route(channels.create, ({ caller, body }) => stored.create(caller, body)),
  route(channels.get, ({ caller, params }) => stored.get(caller, params.channel_id)),
  route(channels.update, ({ caller, params, body }) =>
    stored.update(caller, params.channel_id, body),
  ),
  route(channels.remove, ({ caller, params }) => stored.remove(caller, params.channel_id)),
  route(channels.read, ({ caller, params, body }) => stored.read(caller, params.channel_id, body)),
  route(channels.members, ({ caller, params, query }) =>
    memberships.list(caller, params.channel_id, query),
  ),
  route(channels.updateActive, ({ caller, params, body }) =>
    memberships.setActive(caller, params.channel_id, body.is_active),
  ),
  route(channels.addMembers, ({ caller, params, body }) =>
    memberships.add(caller, params.channel_id, body),
  ),
  route(channels.removeMembers, ({ caller, params, body }) =>
    memberships.remove(caller, params.channel_id, body.user_ids),
  ),
]

const createMessageRoutes = ({ messages }: ChannelOperations): Route[] => [
  route(channels.messages, ({ caller, params, query }) =>
    messages.list(caller, params.channel_id, query),
  ),
  route(channels.pinned, ({ caller, params, query }) =>
    messages.pinned(caller, params.channel_id, query.page ?? 1),
  ),
  route(channels.post, ({ caller, params, body }) =>
    messages.post(caller, params.channel_id, body),
  ),
  route(channels.getMessage, ({ caller, params }) =>
    messages.get(caller, params.channel_id, params.message_id),
  ),
  route(channels.messageData, ({ caller, params }) =>
    messages.data(caller, params.channel_id, params.message_id),
  ),
  route(channels.thread, ({ caller, params, query }) =>
    messages.thread(caller, params.channel_id, params.message_id, query),
  ),
  route(channels.updateMessage, ({ caller, params, body }) =>
    messages.update(caller, params.channel_id, params.message_id, body),
  ),
  route(channels.pin, ({ caller, params, body }) =>
    messages.pin(caller, params.channel_id, params.message_id, body.is_pinned),
  ),
  route(channels.addReaction, ({ caller, params, body }) =>
    messages.react(caller, params.channel_id, params.message_id, body.name),
  ),
  route(channels.removeReaction, ({ caller, params, body }) =>
    messages.takeBack(caller, params.channel_id, params.message_id, body.name),
  ),
  route(channels.removeMessage, ({ caller, params }) =>
    messages.remove(caller, params.channel_id, params.message_id),
  ),
]

const createWebhookRoutes = ({ webhooks, incoming }: ChannelOperations): Route[] => [
  httpRoute(channels.receive, ({ params, body, request }) =>
    incoming.post(params, body.content, request),
  ),
  httpRoute(channels.webhookImage, ({ params, query, response }) =>
    webhooks.sendImage(response, params.webhook_id, query.version),
  ),
  route(channels.webhooks, ({ caller, params }) => webhooks.list(caller, params.channel_id)),
  route(channels.createWebhook, ({ caller, params, body }) =>
    webhooks.create(caller, params.channel_id, body),
  ),
  route(channels.updateWebhook, ({ caller, params, body }) =>
    webhooks.update(caller, params.channel_id, params.webhook_id, body),
  ),
  route(channels.rotateWebhook, ({ caller, params }) =>
    webhooks.rotate(caller, params.channel_id, params.webhook_id),
  ),
  route(channels.removeWebhook, ({ caller, params }) =>
    webhooks.remove(caller, params.channel_id, params.webhook_id),
  ),
]
