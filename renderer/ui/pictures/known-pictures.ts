import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Picture } from '#contract/images.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { whenForgotten } from './shown-pictures.ts'

/**
 * What is known of pictures by their ids; null for one that is no picture of this person's gallery.
 */
export const knownPicturesStore = createStore<{
  readonly pictures: Readonly<Record<string, Picture | null>>
}>(() => ({ pictures: {} }))

const asked = new Set<string>()

/** Remembers what came with a list or a reply, so that nobody asks for it again. */
export function rememberPictures(pictures: readonly Picture[]): void {
  const rows = Object.fromEntries(pictures.map((picture) => [picture.id, picture]))
  knownPicturesStore.setState((state) => ({ pictures: { ...state.pictures, ...rows } }))
}

whenForgotten(() => {
  asked.clear()
  knownPicturesStore.setState({ pictures: {} })
})

/**
 * Asks for one picture. A failure leaves it unknown, so that the next one who needs it asks again.
 */
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

/** What a picture was made from; null while that is not known. */
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

/** The message a picture was made in; a part of its chat's address. */
export interface ChatPlace {
  readonly chatId: string
  readonly messageId: string | null
}

/** Pictures of pictures of pictures: further back nobody looks. */
const MOST_STEPS = 20

type Known = Readonly<Record<string, Picture | null>>

/**
 * Goes back from a picture to the first one that was made in a chat, or names the picture that has
 * to be read to go on.
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
 * The chat a picture was made in, or the one of the picture it goes back to; null for those made
 * outside of chats.
 */
export function useChatOf(picture: Picture): ChatPlace | null {
  const known = useStore(knownPicturesStore, (state) => state.pictures)
  const { place, missing } = findChat(known, picture)
  usePicture(missing)
  return place
}
