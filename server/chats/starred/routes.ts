import type { StarredMessage } from '#contract/chat-lists.ts'
import { endpoints } from '#contract/endpoints.ts'
import { withoutBlocks } from '../../lib/text/answer-blocks.ts'
import { route, type Route } from '../../lib/http.ts'
import type { Storage } from '../../storage/index.ts'
import { parseQuery, toMatch } from '../search/parse-query.ts'
import { StarredStore, type StarredRow } from './store.ts'

const LONGEST_EXCERPT = 400

/** An excerpt may end inside of a block, whose content is not part of the text. */
const toExcerpt = (text: string): string =>
  withoutBlocks(text)
    .replace(/<details type="[^]*$/, '')
    .trim()
    .slice(0, LONGEST_EXCERPT)

const toStarred = ({ archived, excerpt, ...row }: StarredRow): StarredMessage => ({
  ...row,
  excerpt: toExcerpt(excerpt),
  archived: archived === 1,
})

function toWanted(userId: string, query: string) {
  const { phrases } = parseQuery(query)
  return {
    title: query === '' ? null : query,
    match: phrases.length === 0 ? null : toMatch(phrases, userId),
  }
}

/** Creates the routes of the user's starred messages. */
export function createStarredRoutes(storage: Storage): Route[] {
  const store = new StarredStore(storage)
  return [
    route(endpoints.chats.starred, async ({ caller, query: { page = 1, query = '' } }) => {
      const wanted = toWanted(caller.userId, query.trim())
      return (await store.page(caller.userId, { ...wanted, page })).map(toStarred)
    }),
  ]
}
