import { authEndpoints } from './auths.ts'
import { chatEndpoints } from './chats.ts'
import { completionEndpoints } from './completions.ts'
import { connectionEndpoints } from './connections.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { groupEndpoints } from './groups.ts'
import { messagesEndpoints } from './messages.ts'
import { modelEndpoints } from './models.ts'
import { responsesEndpoints } from './responses.ts'
import { settingEndpoints } from './settings.ts'
import { systemEndpoints } from './system.ts'
import { userEndpoints } from './users.ts'

/** Every endpoint of the gateway by domain: the one table behind routing, client, documents, key allow-list and tests. */
export const endpoints = Object.freeze({
  system: systemEndpoints,
  auths: authEndpoints,
  users: userEndpoints,
  groups: groupEndpoints,
  chats: chatEndpoints,
  models: modelEndpoints,
  connections: connectionEndpoints,
  completions: completionEndpoints,
  messages: messagesEndpoints,
  responses: responsesEndpoints,
  settings: settingEndpoints,
})

/** The same table as a flat list, in the order routes are matched. */
export const allEndpoints: readonly AnyEndpoint[] = Object.freeze(
  Object.values(endpoints).flatMap((domain) => Object.values<AnyEndpoint>(domain)),
)
