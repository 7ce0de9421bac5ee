import type { ChatModel, ChatStore } from '../chat-store.ts'
import { keepChosenTools, presetOf, withToggled } from './chosen-tools.ts'

/**
 * Switches a gateway feature on or off for the next answers of a chat, leaving the other tools
 * unchanged.
 */
export function chooseFeature(
  store: ChatStore,
  model: ChatModel | null,
  feature: string,
  isOn: boolean,
): void {
  const { tools, chatId } = store.getState()
  const chosen = tools ?? presetOf(model)
  if (chosen.featureIds.includes(feature) === isOn) return
  const next = { ...chosen, featureIds: withToggled(chosen.featureIds, feature) }
  store.setState({ tools: next })
  keepChosenTools(chatId, next)
}
