import type { ChatBeginning } from '../../lib/router.ts'
import { toPageEntry } from '../../ui/attachments/attached-entry.ts'
import type { Attachments } from '../../ui/attachments/attachments-store.ts'
import { toPageAddress } from '../../lib/page-address.ts'
import type { ChatModel, ChatStore } from './chat-store.ts'
import { chooseFeature } from './tools/choose-feature.ts'
import { PICTURES, WEB_SEARCH, keepChosenTools, presetOf } from './tools/chosen-tools.ts'

interface Place {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly attachments: Pick<Attachments, 'add'>
  readonly mayAttachPages: boolean
}

function chooseTools(store: ChatStore, model: ChatModel | null, ids: readonly string[]): void {
  const { tools, chatId } = store.getState()
  const chosen = tools ?? presetOf(model)
  const next = { ...chosen, toolIds: [...new Set([...chosen.toolIds, ...ids])] }
  store.setState({ tools: next })
  keepChosenTools(chatId, next)
}

/** Applies the parameters of a new chat's URL, other than its text, to the composer. */
export function applyBeginning(
  { isWebSearched, makesPictures, toolIds, pages }: ChatBeginning,
  { store, model, attachments, mayAttachPages }: Place,
): void {
  if (isWebSearched) chooseFeature(store, model, WEB_SEARCH, true)
  if (makesPictures) chooseFeature(store, model, PICTURES, true)
  if (toolIds.length > 0) chooseTools(store, model, toolIds)
  if (!mayAttachPages) return
  for (const page of pages) {
    const address = toPageAddress(page)
    if (address !== null) attachments.add(toPageEntry(address))
  }
}
