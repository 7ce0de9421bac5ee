import type { World } from './create-world.ts'
import { open, owned, user, type MatrixRow } from './matrix-row.ts'

const created = async ({ server, tokens }: World, path: string, body: object): Promise<string> => {
  const reply = await server.call('POST', `/api/v1/channels/${path}`, { token: tokens.owner, body })
  return ((await reply.json()) as { id: string }).id
}
const group = async (world: World) => ({
  channel_id: await created(world, 'create', { name: 'Team', type: 'group' }),
})
const message = async (world: World) => {
  const { channel_id } = await group(world)
  return {
    channel_id,
    message_id: await created(world, `${channel_id}/messages/post`, { content: 'Hello' }),
  }
}
const webhook = async (world: World) => {
  const { channel_id } = await group(world)
  return {
    channel_id,
    webhook_id: await created(world, `${channel_id}/webhooks/create`, { name: 'Build' }),
  }
}

/**
 * Groups are only for their members. An administrator can see that they exist, and is told to join.
 */
const joined = (params: MatrixRow['params'], row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(params, { others: { other: 404, admin: 403 }, ...row })
/** Administrators manage every channel. */
const managed = (params: MatrixRow['params'], row: Partial<MatrixRow> = {}): MatrixRow =>
  owned(params, { others: { other: 404, admin: 200 }, ...row })

/** The rows of the authorisation matrix for channels. */
export const channelRows: Readonly<Record<string, MatrixRow>> = {
  'channels.list': user(),
  'channels.listAll': user(),
  'channels.search': { ...user(), query: '?text=hello' },
  'channels.ofUser': { ...user(404), params: () => ({ user_id: 'none' }) },
  'channels.create': { ...user(401, { name: 'Everybody' }), others: { admin: 200 } },
  'channels.get': joined(group),
  'channels.update': managed(group, { body: () => ({ name: 'Renamed' }) }),
  // The administrator's call comes first.
  'channels.remove': managed(group, { status: 404 }),
  'channels.read': joined(group, { body: () => ({}) }),
  'channels.members': joined(group),
  'channels.updateActive': owned(group, { body: () => ({ is_active: false }) }),
  'channels.addMembers': managed(group, { body: () => ({ user_ids: [] }) }),
  'channels.removeMembers': managed(group, { body: () => ({ user_ids: [] }) }),

  'channels.messages': joined(group),
  'channels.pinned': joined(group),
  'channels.post': joined(group, { body: () => ({ content: 'Hello' }) }),
  'channels.getMessage': joined(message),
  'channels.messageData': joined(message),
  'channels.thread': joined(message),
  'channels.updateMessage': joined(message, { body: () => ({ content: 'Changed' }) }),
  'channels.pin': joined(message, { body: () => ({ is_pinned: true }) }),
  'channels.addReaction': joined(message, { body: () => ({ name: '+1' }) }),
  'channels.removeReaction': joined(message, { body: () => ({ name: '+1' }) }),
  'channels.removeMessage': joined(message),

  // The URL is the credential.
  'channels.receive': {
    ...open(404, { content: 'Hello' }),
    params: () => ({ webhook_id: 'none', token: 'none' }),
  },
  'channels.webhookImage': { ...user(), params: () => ({ webhook_id: 'none' }) },
  'channels.webhooks': managed(group),
  'channels.createWebhook': managed(group, { body: () => ({ name: 'Build' }) }),
  'channels.updateWebhook': managed(webhook, { body: () => ({ name: 'Build' }) }),
  'channels.rotateWebhook': managed(webhook),
  'channels.removeWebhook': managed(webhook, { status: 404 }),
}
