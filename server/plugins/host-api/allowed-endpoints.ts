import { z } from '#contract/lazy-zod.ts'
import { notFound } from '../../lib/errors.ts'
import { callRoute } from '../../lib/call-route.ts'
import type { Route } from '../../lib/http.ts'
import type { HostParts } from './dependencies.ts'
import { inTime } from './in-time.ts'
import { readParams, requirePerson, type HostMethod } from './method.ts'

/**
 * What plugin code may call on behalf of a person, by the ids of `server/contract`. Passwords,
 * keys, sessions, settings of the gateway, connections, accounts and code of plugins are not among
 * it, whoever the person is.
 */
export const ALLOWED_ENDPOINTS: ReadonlySet<string> = new Set([
  ...'chats.list chats.search chats.get chats.create chats.update chats.remove chats.move chats.tags chats.addTag'.split(
    ' ',
  ),
  ...'chats.removeTag chats.removeTags chats.messageEvent chats.listInFolder chats.pin chats.archive'.split(
    ' ',
  ),
  ...'chats.pinned chats.isPinned chats.archived chats.allTags chats.byTag chats.inFolder chats.updateMessage'.split(
    ' ',
  ),
  ...'folders.list folders.get folders.create folders.update folders.remove'.split(' '),
  ...'memories.list memories.add memories.query memories.update memories.remove memories.removeAll memories.reset'.split(
    ' ',
  ),
  ...'notes.list notes.search notes.get notes.create notes.update notes.remove'.split(' '),
  ...'notes.pinned notes.pin prompts.list prompts.page prompts.tags prompts.get prompts.getByCommand'.split(
    ' ',
  ),
  ...'knowledge.list knowledge.search knowledge.files knowledge.searchFiles knowledge.updateFile knowledge.addFiles'.split(
    ' ',
  ),
  ...'knowledge.all knowledge.get knowledge.create knowledge.update knowledge.remove knowledge.addFile knowledge.removeFile'.split(
    ' ',
  ),
  ...'files.get files.list files.text files.updateText files.rename files.remove files.process'.split(
    ' ',
  ),
  ...'retrieval.processFile retrieval.processText retrieval.processWeb retrieval.searchWeb'.split(
    ' ',
  ),
  ...'retrieval.queryDocument retrieval.queryCollections'.split(' '),
  ...'images.generate images.edit images.models images.gallery images.picture'.split(' '),
  ...'models.info models.create models.update models.remove'.split(' '),
  ...'groups.list groups.members'.split(' '),
  ...'evaluations.createFeedback evaluations.getFeedback evaluations.updateFeedback evaluations.removeFeedback'.split(
    ' ',
  ),
  ...'evaluations.ownFeedbacks evaluations.exportFeedbacks'.split(' '),
  ...'users.active users.settings users.updateSettings users.info users.ownInfo users.updateOwnInfo'.split(
    ' ',
  ),
])

/** A model the connections have not listed yet is not there for plugins. */
const MODEL_MILLISECONDS = 1000

const paramsSchema = z.object({
  id: z.string().max(100),
  params: z.record(z.string(), z.unknown()).optional(),
  query: z.record(z.string(), z.unknown()).optional(),
  body: z.unknown().optional(),
})

export function endpointMethods(parts: HostParts): Readonly<Record<string, HostMethod>> {
  let known: ReadonlyMap<string, Route> | undefined
  const routes = (): ReadonlyMap<string, Route> =>
    (known ??= new Map(
      parts
        .routes()
        .filter(({ endpoint }) => ALLOWED_ENDPOINTS.has(endpoint.id))
        .map((route) => [route.endpoint.id, route]),
    ))
  return {
    endpoint: (request) => {
      const caller = requirePerson(request)
      const { id, ...input } = readParams(paramsSchema, request)
      const route = routes().get(id)
      if (!route) throw notFound(`Plugins cannot call ${id}.`)
      const answer = callRoute(
        route,
        { ...input, caller, signal: request.signal },
        parts.requirePermitted,
      )
      return id === 'models.info'
        ? inTime(answer, MODEL_MILLISECONDS, () => notFound('There is no such model.'))
        : answer
    },
  }
}
