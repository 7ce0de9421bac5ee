import { Wrench } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { Popover } from '../../../ui/popover.tsx'
import { SwitchControl } from '../../../ui/switch.tsx'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { type ChosenTools, keepChosenTools, presetOf, withToggled } from './chosen-tools.ts'
import { loadTools, toolsStore } from './tools-store.ts'

interface RowProps {
  readonly name: string
  readonly detail: string
  readonly problem: string | null
  readonly checked: boolean
  readonly onToggle: () => void
}

function Row({ name, detail, problem, checked, onToggle }: RowProps) {
  const id = useId()
  return (
    <li className="flex items-start gap-3 px-3.5 py-2">
      <label htmlFor={id} className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        {detail && <bdi className="line-clamp-2 block text-small text-muted">{detail}</bdi>}
        {problem && <span className="block text-small text-danger">{problem}</span>}
      </label>
      <SwitchControl id={id} checked={checked} onChange={onToggle} />
    </li>
  )
}

interface ToolPickerProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
}

/** Switches tools and filters on for the next answers; away where there are none. */
export function ToolPicker({ store, model }: ToolPickerProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const tools = useStore(toolsStore, (state) => state.tools) ?? []
  const chosen = useStore(store, (state) => state.tools) ?? presetOf(model)
  const filters = model?.filters ?? []
  if (tools.length === 0 && filters.length === 0) return null
  const count =
    tools.filter(({ id }) => chosen.toolIds.includes(id)).length + filters.filter(({ id }) => chosen.filterIds.includes(id)).length
  const choose = (change: Partial<ChosenTools>): void => {
    const next = { ...chosen, ...change }
    store.setState({ tools: next })
    keepChosenTools(store.getState().chatId, next)
  }
  const handleOpen = (open: boolean): void => {
    setOpen(open)
    if (open) void loadTools(toolsStore)
  }
  return (
    <Popover
      side="top"
      label={t('chat.tools.title')}
      open={isOpen}
      onOpenChange={handleOpen}
      className="w-80"
      trigger={
        <button
          type="button"
          aria-label={t('chat.tools.choose', { count })}
          className={classNames(
            'inline-flex h-8 items-center gap-1.5 rounded-full px-2.5 text-ui hover:bg-hover pointer-coarse:min-h-11',
            count > 0 ? 'font-medium text-accent-strong dark:text-accent' : 'text-muted',
          )}
        >
          <Wrench aria-hidden="true" className="size-4" />
          {count > 0 && <span className="tabular-nums">{count}</span>}
        </button>
      }
    >
      <h2 className="px-3.5 pt-3 pb-1 font-semibold">{t('chat.tools.title')}</h2>
      <p className="px-3.5 pb-1 text-small text-muted">{t('chat.tools.text')}</p>
      <ul className="pb-2">
        {tools.map((tool) => (
          <Row
            key={tool.id}
            name={tool.name}
            detail={typeof tool.meta.description === 'string' ? tool.meta.description : ''}
            problem={tool.fault ?? (tool.authenticated === false ? t('chat.tools.signIn') : null)}
            checked={chosen.toolIds.includes(tool.id)}
            onToggle={() => choose({ toolIds: withToggled(chosen.toolIds, tool.id) })}
          />
        ))}
        {filters.map(({ id, name, description }) => (
          <Row
            key={id}
            name={name}
            detail={description}
            problem={null}
            checked={chosen.filterIds.includes(id)}
            onToggle={() => choose({ filterIds: withToggled(chosen.filterIds, id) })}
          />
        ))}
      </ul>
    </Popover>
  )
}
