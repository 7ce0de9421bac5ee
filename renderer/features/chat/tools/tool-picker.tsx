import { Settings2, Wrench } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Popover } from '../../../ui/floating/popover.tsx'
import { SwitchControl } from '../../../ui/controls/switch.tsx'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { FeatureButton } from '../../../ui/controls/feature-button.tsx'
import { type ChosenTools, keepChosenTools, presetOf, withToggled } from './chosen-tools.ts'
import { loadTools, toolsStore } from './tools-store.ts'

interface RowProps {
  readonly name: string
  readonly detail: string
  readonly problem: string | null
  readonly checked: boolean
  readonly onToggle: () => void
  /** Opens the user's settings for it; absent if there are none. */
  readonly onSetUp?: () => void
}

function Row({ name, detail, problem, checked, onToggle, onSetUp }: RowProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <li className="flex items-start gap-3 px-3.5 py-2">
      <label htmlFor={id} className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        {detail && <bdi className="line-clamp-2 block text-small text-muted">{detail}</bdi>}
        {problem && <span className="block text-small text-danger">{problem}</span>}
      </label>
      <span className="flex h-6 shrink-0 items-center gap-1">
        {onSetUp && (
          <IconButton
            label={t('chat.tools.setUp', { name })}
            icon={<Settings2 />}
            onClick={onSetUp}
          />
        )}
        <SwitchControl id={id} checked={checked} onChange={onToggle} />
      </span>
    </li>
  )
}

/** A tool or filter whose user settings are opened. */
export interface SetUpPlugin {
  readonly store: 'tool' | 'function'
  readonly id: string
  readonly name: string
}

interface ToolPickerProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly onSetUp?: (plugin: SetUpPlugin) => void
}

/** True if there are tools or filters to choose from, or were at the last load. */
export const useHasTools = (model: ChatModel | null): boolean =>
  useStore(
    toolsStore,
    ({ tools, hadTools, own, skills }) =>
      (tools === null && hadTools) ||
      (tools ?? []).length + own.length + skills.length + (model?.filters ?? []).length > 0,
  )

/** Returns the number of available tools that are enabled; until loaded, of those chosen. */
export function useToolCount(store: ChatStore, model: ChatModel | null): number {
  const known = useStore(toolsStore, ({ tools }) => tools)
  const own = useStore(toolsStore, (state) => state.own)
  const skills = useStore(toolsStore, (state) => state.skills)
  const chosen = useStore(store, ({ tools }) => tools) ?? presetOf(model)
  const filters = model?.filters ?? []
  const filterCount = filters.filter(({ id }) => chosen.filterIds.includes(id)).length
  if (known === null) return chosen.toolIds.length + chosen.skillIds.length + filterCount
  return (
    [...known, ...own].filter(({ id }) => chosen.toolIds.includes(id)).length +
    filterCount +
    skills.filter(({ id }) => chosen.skillIds.includes(id)).length
  )
}

/** Skills the model reads before it answers; hidden if there are none. */
function SkillRows({
  chosen,
  onChoose,
}: {
  readonly chosen: readonly string[]
  readonly onChoose: (ids: readonly string[]) => void
}) {
  const { t } = useTranslation()
  const titleId = useId()
  const skills = useStore(toolsStore, (state) => state.skills)
  if (skills.length === 0) return null
  return (
    <section className="border-t border-line py-1.5">
      <h3 id={titleId} className="px-3.5 pt-1.5 font-semibold">
        {t('chat.tools.skills')}
      </h3>
      <ul aria-labelledby={titleId}>
        {skills.map(({ id, name, description }) => (
          <Row
            key={id}
            name={name}
            detail={description ?? ''}
            problem={null}
            checked={chosen.includes(id)}
            onToggle={() => onChoose(withToggled(chosen, id))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Enables tools, filters and skills for the next answers; hidden if there are none. */
export function ToolPicker({ store, model, onSetUp }: ToolPickerProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const tools = useStore(toolsStore, (state) => state.tools) ?? []
  const own = useStore(toolsStore, (state) => state.own)
  const chosen = useStore(store, (state) => state.tools) ?? presetOf(model)
  const filters = model?.filters ?? []
  const hasTools = useHasTools(model)
  const count = useToolCount(store, model)
  if (!hasTools) return null
  const choose = (change: Partial<ChosenTools>): void => {
    const next = { ...chosen, ...change }
    store.setState({ tools: next })
    keepChosenTools(store.getState().chatId, next)
  }
  const setUp = (plugin: SetUpPlugin, isOffered: boolean): (() => void) | undefined =>
    onSetUp && isOffered
      ? () => {
          setOpen(false)
          onSetUp(plugin)
        }
      : undefined
  const handleOpen = (open: boolean): void => {
    setOpen(open)
    if (open) void loadTools(toolsStore)
  }
  return (
    <Popover
      isSheet
      side="top"
      label={t('chat.tools.title')}
      open={isOpen}
      onOpenChange={handleOpen}
      className="w-80"
      trigger={
        <FeatureButton
          icon={<Wrench />}
          label={t('chat.tools.choose', { count })}
          short={count > 0 ? t('chat.tools.some', { number: count }) : t('chat.tools.title')}
          isOn={count > 0}
        />
      }
    >
      <div className="sticky top-0 z-10 border-b border-line bg-raised px-3.5 pt-3 pb-2">
        <h2 className="font-semibold">{t('chat.tools.title')}</h2>
        <p className="text-small text-muted">{t('chat.tools.text')}</p>
      </div>
      <ul className="py-1.5">
        {own.map(({ id, name, problem }) => (
          <Row
            key={id}
            name={name}
            detail={t('chat.tools.own')}
            problem={problem}
            checked={chosen.toolIds.includes(id)}
            onToggle={() => choose({ toolIds: withToggled(chosen.toolIds, id) })}
          />
        ))}
        {tools.map((tool) => (
          <Row
            key={tool.id}
            name={tool.name}
            detail={typeof tool.meta.description === 'string' ? tool.meta.description : ''}
            problem={tool.fault ?? (tool.authenticated === false ? t('chat.tools.signIn') : null)}
            checked={chosen.toolIds.includes(tool.id)}
            onToggle={() => choose({ toolIds: withToggled(chosen.toolIds, tool.id) })}
            onSetUp={setUp({ store: 'tool', id: tool.id, name: tool.name }, tool.has_user_valves)}
          />
        ))}
        {filters.map(({ id, name, description, hasUserValves }) => (
          <Row
            key={id}
            name={name}
            detail={description}
            problem={null}
            checked={chosen.filterIds.includes(id)}
            onToggle={() => choose({ filterIds: withToggled(chosen.filterIds, id) })}
            onSetUp={setUp({ store: 'function', id, name }, hasUserValves)}
          />
        ))}
      </ul>
      <SkillRows chosen={chosen.skillIds} onChoose={(skillIds) => choose({ skillIds })} />
    </Popover>
  )
}
