import { Sparkles } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { Popover } from '../../../ui/floating/popover.tsx'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { presetOf } from './chosen-tools.ts'
import { useToolCount } from './tool-picker.tsx'
import { useIsTooNarrow } from './use-is-too-narrow.ts'

interface FoldedFeaturesProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly children: ReactNode
}

/** Menu of the features behind one button, each with its label. */
function FeatureMenu({ store, model, children }: FoldedFeaturesProps) {
  const { t } = useTranslation()
  const features = useStore(store, (state) => (state.tools ?? presetOf(model)).featureIds.length)
  const count = useToolCount(store, model) + features
  return (
    <Popover
      isSheet
      side="top"
      align="end"
      label={t('chat.features.title')}
      className="w-72 p-1.5"
      trigger={
        <button
          type="button"
          aria-label={t('chat.features.choose', { number: count })}
          className={classNames(
            'inline-flex h-8 items-center justify-center gap-1.5 rounded-full px-2.5 text-ui hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:min-w-11',
            count > 0 ? 'font-medium text-accent-strong dark:text-accent' : 'text-muted',
          )}
        >
          <Sparkles className="size-4" />
          <span className="tabular-nums @max-[30rem]:hidden">
            {count > 0 ? t('chat.features.choose', { number: count }) : t('chat.features.title')}
          </span>
          {count > 0 && <span className="tabular-nums @min-[30rem]:hidden">{count}</span>}
        </button>
      }
    >
      <h2 className="px-2.5 pt-1 pb-1.5 font-semibold">{t('chat.features.title')}</h2>
      <div data-folded="" className="flex flex-col gap-0.5 *:min-h-control">
        {children}
      </div>
    </Popover>
  )
}

/**
 * Tools and features of the next answer: side by side with labels, or behind one button if they do
 * not fit. The layout does not change while one of them is open, and the focus is kept when it
 * does.
 */
export function FoldedFeatures({ children, ...props }: FoldedFeaturesProps) {
  const row = useRef<HTMLSpanElement>(null)
  const [isFolded, setFolded] = useState(false)
  const isNarrow = useIsTooNarrow(row, isFolded)
  const hadFocus = useRef(false)
  const follow = (): void => {
    const isOpen = row.current?.querySelector('[aria-expanded="true"]') ?? null
    if (isFolded === isNarrow || isOpen) return
    hadFocus.current = row.current?.contains(document.activeElement) ?? false
    setFolded(isNarrow)
  }
  useLayoutEffect(follow)
  useLayoutEffect(() => {
    if (hadFocus.current) row.current?.querySelector('button')?.focus()
    hadFocus.current = false
  }, [isFolded])
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only listens for the focus returning from a closed panel
    <span ref={row} className="contents" onFocus={() => setTimeout(follow)}>
      {isFolded ? <FeatureMenu {...props}>{children}</FeatureMenu> : children}
    </span>
  )
}
