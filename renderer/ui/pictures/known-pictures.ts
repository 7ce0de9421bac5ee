import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Picture } from '#contract/images.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { whenForgotten } from './shown-pictures.ts'

/** What is known of pictures by their ids; null for one that is no picture of this person's gallery. */
export const knownPicturesStore = createStore<{ readonly pictures: Readonly<Record<string, Picture | null>> }>(() => ({ pictures: {} }))

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

/** Asks for one picture. A failure leaves it unknown, so that the next one who needs it asks again. */
export async function readPicture(id: string): Promise<Picture | null> {
  const known = knownPicturesStore.getState().pictures[id]
  if (known !== undefined) return known
  try {
    const picture = await call(endpoints.images.picture, { params: { picture_id: id } })
    rememberPictures([picture])
    return picture
  } catch (thrown) {
    const isMissing = thrown instanceof ApiError && thrown.status === 404
    if (isMissing) knownPicturesStore.setState((state) => ({ pictures: { ...state.pictures, [id]: null } }))
    else asked.delete(id)
    return null
  }
}

/** What a picture was made from; null while that is not known. */
export function usePicture(id: string | null): Picture | null {
  const picture = useStore(knownPicturesStore, (state) => (id === null ? undefined : state.pictures[id]))
  useEffect(() => {
    if (id === null || picture !== undefined || asked.has(id)) return
    asked.add(id)
    void readPicture(id)
  }, [id, picture])
  return picture ?? null
}

/** The chat a picture was made in, or the one of the picture it was made from; null for those made outside of chats. */
export function useChatOf(picture: Picture): { readonly chatId: string; readonly messageId: string | null } | null {
  const source = usePicture(picture.chat_id === null ? (picture.source_ids[0] ?? null) : null)
  const { chat_id: chatId, message_id: messageId } = picture.chat_id === null && source ? source : picture
  return chatId === null ? null : { chatId, messageId }
}
