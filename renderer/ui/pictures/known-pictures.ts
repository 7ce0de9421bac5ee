import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Picture } from '#contract/images.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { whenForgotten } from './shown-pictures.ts'

/** Known pictures by id; null for one that is not in the user's gallery. */
export const knownPicturesStore = createStore<{
  readonly pictures: Readonly<Record<string, Picture | null>>
}>(() => ({ pictures: {} }))

const asked = new Set<string>()

/** Caches pictures from a list or response, so that they are not requested again. */
export function rememberPictures(pictures: readonly Picture[]): void {
  const rows = Object.fromEntries(pictures.map((picture) => [picture.id, picture]))
  knownPicturesStore.setState((state) => ({ pictures: { ...state.pictures, ...rows } }))
}

whenForgotten(() => {
  asked.clear()
  knownPicturesStore.setState({ pictures: {} })
})

/** Requests one picture. A failure leaves it unknown, so that the next caller requests it again. */
export async function readPicture(id: string): Promise<Picture | null> {
  const known = knownPicturesStore.getState().pictures[id]
  if (known !== undefined) return known
  try {
    const picture = await call(endpoints.images.picture, { params: { picture_id: id } })
    rememberPictures([picture])
    return picture
  } catch (thrown) {
    const isMissing = thrown instanceof ApiError && thrown.status === 404
    if (isMissing)
      knownPicturesStore.setState((state) => ({ pictures: { ...state.pictures, [id]: null } }))
    else asked.delete(id)
    return null
  }
}

/** Returns the parameters of a picture; null while unknown. */
export function usePicture(id: string | null): Picture | null {
  const picture = useStore(knownPicturesStore, (state) =>
    id === null ? undefined : state.pictures[id],
  )
  useEffect(() => {
    if (id === null || picture !== undefined || asked.has(id)) return
    asked.add(id)
    void readPicture(id)
  }, [id, picture])
  return picture ?? null
}

/** The message that contains a generated picture; part of its chat's URL. */
export interface ChatPlace {
  readonly chatId: string
  readonly messageId: string | null
}

/** Maximum number of steps followed through pictures derived from pictures. */
const MOST_STEPS = 20

type Known = Readonly<Record<string, Picture | null>>

/**
 * Follows a picture's sources back to the first one generated in a chat, or returns the id of the
 * picture to load next.
 */
export function findChat(
  known: Known,
  picture: Picture,
): { readonly place: ChatPlace | null; readonly missing: string | null } {
  let at: Picture | null = picture
  for (let steps = 0; at !== null && steps < MOST_STEPS; steps++) {
    if (at.chat_id !== null)
      return { place: { chatId: at.chat_id, messageId: at.message_id }, missing: null }
    const source: string | undefined = at.source_ids[0]
    if (source === undefined) break
    const found: Picture | null | undefined = known[source]
    if (found === undefined) return { place: null, missing: source }
    at = found
  }
  return { place: null, missing: null }
}

/**
 * Returns the chat in which a picture or its source was generated; null for those generated outside
 * chats.
 */
export function useChatOf(picture: Picture): ChatPlace | null {
  const known = useStore(knownPicturesStore, (state) => state.pictures)
  const { place, missing } = findChat(known, picture)
  usePicture(missing)
  return place
}
