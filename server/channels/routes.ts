import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import type { ManageChannels } from './manage-channels.ts'
import type { ManageMembers } from './manage-members.ts'
import type { Messages } from './messages.ts'
import type { Search } from './search.ts'
import type { ReceiveMessages } from './receive-messages.ts'
import type { ManageWebhooks } from './manage-webhooks.ts'

const { channels } = endpoints

interface ChannelOperations {
  readonly manage: ManageChannels
  readonly people: ManageMembers
  readonly messages: Messages
  readonly search: Search
  readonly hooks: ManageWebhooks
  readonly receive: ReceiveMessages
}

export const createChannelRoutes = (operations: ChannelOperations): Route[] => [
  ...createWebhookRoutes(operations),
  ...createPlaceRoutes(operations),
  ...createMessageRoutes(operations),
]

/** Awaits an operation that has no result and resolves with true. */
async function done(work: Promise<unknown>): Promise<true> {
  await work
  return true
}

const createPlaceRoutes = ({ manage, people, search }: ChannelOperations): Route[] => [
  route(channels.list, ({ caller }) => manage.list(caller)),
  route(channels.listAll, ({ caller }) => manage.listAll(caller)),
  route(channels.search, ({ caller, query }) => search.find(caller, query)),
  route(channels.ofUser, ({ caller, params }) => manage.ofUser(caller, params.user_id)),
  route(channels.create, ({ caller, body }) => manage.create(caller, body)),
  route(channels.get, ({ caller, params }) => manage.get(caller, params.channel_id)),
  route(channels.update, ({ caller, params, body }) =>
    manage.update(caller, params.channel_id, body),
  ),
  route(channels.remove, ({ caller, params }) => done(manage.remove(caller, params.channel_id))),
  route(channels.read, ({ caller, params, body }) => manage.read(caller, params.channel_id, body)),
  route(channels.members, ({ caller, params, query }) =>
    people.list(caller, params.channel_id, query),
  ),
  route(channels.updateActive, ({ caller, params, body }) =>
    done(people.setActive(caller, params.channel_id, body.is_active)),
  ),
  route(channels.addMembers, ({ caller, params, body }) =>
    people.add(caller, params.channel_id, body),
  ),
  route(channels.removeMembers, ({ caller, params, body }) =>
    people.remove(caller, params.channel_id, body.user_ids),
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
    done(messages.react(caller, params.channel_id, params.message_id, body.name)),
  ),
  route(channels.removeReaction, ({ caller, params, body }) =>
    done(messages.takeBack(caller, params.channel_id, params.message_id, body.name)),
  ),
  route(channels.removeMessage, ({ caller, params }) =>
    done(messages.remove(caller, params.channel_id, params.message_id)),
  ),
]

const createWebhookRoutes = ({ hooks, receive }: ChannelOperations): Route[] => [
  httpRoute(channels.receive, ({ params, body, request }) =>
    receive.post(params, body.content, request),
  ),
  httpRoute(channels.webhookImage, ({ params, query, response }) =>
    hooks.sendImage(response, params.webhook_id, query.version),
  ),
  route(channels.webhooks, ({ caller, params }) => hooks.list(caller, params.channel_id)),
  route(channels.createWebhook, ({ caller, params, body }) =>
    hooks.create(caller, params.channel_id, body),
  ),
  route(channels.updateWebhook, ({ caller, params, body }) =>
    hooks.update(caller, params.channel_id, params.webhook_id, body),
  ),
  route(channels.rotateWebhook, ({ caller, params }) =>
    hooks.rotate(caller, params.channel_id, params.webhook_id),
  ),
  route(channels.removeWebhook, ({ caller, params }) =>
    done(hooks.remove(caller, params.channel_id, params.webhook_id)),
  ),
]
