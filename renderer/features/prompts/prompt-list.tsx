import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Prompt } from '#contract/prompts.ts'
import { classNames } from '../../lib/class-names.ts'
import { toSlash } from './find-command.ts'

interface PromptListProps {
  readonly id: string
  readonly prompts: readonly Prompt[]
  readonly activeIndex: number
  readonly onHover: (index: number) => void
  readonly onChoose: (prompt: Prompt) => void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

interface OptionProps {
  readonly id: string
  readonly prompt: Prompt
  readonly active: boolean
  readonly onHover: () => void
  readonly onChoose: () => void
}

function Option({ id, prompt, active, onHover, onChoose }: OptionProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys arrive in the box, which keeps the focus
    <div
      ref={ref}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- entries of a list that no tag draws
      role="option"
      aria-selected={active}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onHover}
      onClick={onChoose}
      className={classNames(
        'flex min-h-9 cursor-default items-baseline gap-3 rounded-small px-2.5 py-2 pointer-coarse:min-h-11',
        active && 'bg-hover forced-colors:outline',
      )}
    >
      <bdi className="max-w-[45%] shrink-0 truncate font-medium text-accent-strong dark:text-accent">{toSlash(prompt.command)}</bdi>
      <bdi className="min-w-0 flex-1 truncate text-muted">{prompt.name}</bdi>
    </div>
  )
}

/** Prompts over the message box. */
export function PromptList({ id, prompts, activeIndex, onHover, onChoose }: PromptListProps) {
  const { t } = useTranslation()
  return (
    <div className="absolute inset-x-3 bottom-full z-30 mb-1 animate-rise rounded-large border border-line bg-raised text-ui shadow-high sm:inset-x-6">
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list beside a box that is typed in; no tag does that */}
      <div id={id} role="listbox" tabIndex={-1} aria-label={t('prompts.menu')} className="max-h-[min(18rem,36dvh)] overflow-y-auto p-1">
        {prompts.map((prompt, index) => (
          <Option
            key={prompt.id}
            id={optionId(id, index)}
            prompt={prompt}
            active={index === activeIndex}
            onHover={() => index !== activeIndex && onHover(index)}
            onChoose={() => onChoose(prompt)}
          />
        ))}
      </div>
      <p className="border-t border-line px-3.5 py-1.5 text-small text-muted max-sm:hidden">{t('prompts.menuHint')}</p>
    </div>
  )
}
