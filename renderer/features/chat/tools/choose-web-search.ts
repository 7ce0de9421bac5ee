import type { ChatModel, ChatStore } from '../chat-store.ts'
import { keepChosenTools, presetOf, WEB_SEARCH, withToggled } from './chosen-tools.ts'

/** Switches the search of the web on or off for the next answers of a chat, beside whatever else takes part. */
export function chooseWebSearch(store: ChatStore, model: ChatModel | null, isOn: boolean): void {
  const { tools, chatId } = store.getState()
  const chosen = tools ?? presetOf(model)
  if (chosen.featureIds.includes(WEB_SEARCH) === isOn) return
  const next = { ...chosen, featureIds: withToggled(chosen.featureIds, WEB_SEARCH) }
  store.setState({ tools: next })
  keepChosenTools(chatId, next)
}
