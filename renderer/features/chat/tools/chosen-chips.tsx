import { Columns2, Globe, Image, SquareTerminal, Wrench, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { ChatRights } from '../chat-rights.ts'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { chooseFeature } from './choose-feature.ts'
import { CODE, keepChosenTools, PICTURES, presetOf, WEB_SEARCH } from './chosen-tools.ts'
import { useToolCount } from './tool-picker.tsx'

interface ChipProps {
  readonly icon: ReactNode
  readonly words: string
  readonly onRemove: () => void
}

/** The whole chip is the button, so that its target is large enough for a finger. */
function Chip({ icon, words, onRemove }: ChipProps) {
  const { t } = useTranslation()
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-label={t('chat.add.remove', { name: words })}
        className="group flex min-w-0 max-w-full items-center pointer-coarse:min-h-11"
        onClick={onRemove}
      >
        <span className="flex h-control min-w-0 items-center gap-1.5 rounded-full bg-accent-soft ps-2.5 pe-2 text-small font-medium text-accent-strong group-hover:bg-pressed dark:text-accent [&>svg]:size-3.5 [&>svg]:shrink-0">
          {icon}
          <bdi className="truncate">{words}</bdi>
          <X aria-hidden="true" />
        </span>
      </button>
    </li>
  )
}

const FEATURES = [
  { id: WEB_SEARCH, icon: <Globe aria-hidden="true" />, words: 'chat.add.onWeb' },
  { id: CODE, icon: <SquareTerminal aria-hidden="true" />, words: 'chat.add.onCode' },
  { id: PICTURES, icon: <Image aria-hidden="true" />, words: 'chat.add.onPictures' },
] as const

/** Returns true for features that have a switch, as those without one cannot be taken away. */
const hasSwitch = (id: string, rights: ChatRights, model: ChatModel | null): boolean =>
  (id === WEB_SEARCH && rights.webSearch.isReady && model?.searchesWeb !== false) ||
  (id === CODE && rights.code.isReady && model?.runsCode !== false) ||
  (id === PICTURES && rights.pictures.mayMake && model?.makesPictures !== false)

interface ChosenChipsProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly rights: ChatRights
  readonly others: readonly ChatModel[]
  /** Removes one of the other models. */
  readonly onDrop?: (modelId: string) => void
}

/** On a phone, what goes along with the next message, each with a cross that takes it away. */
export function ChosenChips({ store, model, rights, others, onDrop }: ChosenChipsProps) {
  const { t } = useTranslation()
  const chosen = useStore(store, (state) => state.tools) ?? presetOf(model)
  const toolCount = useToolCount(store, model)
  const features = FEATURES.filter(
    ({ id }) => chosen.featureIds.includes(id) && hasSwitch(id, rights, model),
  )
  if (features.length + others.length + toolCount === 0) return null
  const dropTools = (): void => {
    const next = { ...chosen, toolIds: [], filterIds: [], skillIds: [] }
    store.setState({ tools: next })
    keepChosenTools(store.getState().chatId, next)
  }
  return (
    <ul aria-label={t('chat.add.chosen')} className="flex flex-wrap gap-x-1.5 px-3">
      {others.map(({ id, name }) => (
        <Chip
          key={id}
          icon={<Columns2 aria-hidden="true" />}
          words={name}
          onRemove={() => onDrop?.(id)}
        />
      ))}
      {toolCount > 0 && (
        <Chip
          icon={<Wrench aria-hidden="true" />}
          words={t('chat.tools.some', { number: toolCount })}
          onRemove={dropTools}
        />
      )}
      {features.map(({ id, icon, words }) => (
        <Chip
          key={id}
          icon={icon}
          words={t(words)}
          onRemove={() => chooseFeature(store, model, id, false)}
        />
      ))}
    </ul>
  )
}
