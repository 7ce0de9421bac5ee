import { Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { classNames } from '../../../lib/class-names.ts'
import { useMedia } from '../../../lib/use-media.ts'
import { Popover } from '../../../ui/popover.tsx'
import type { ChatModel, ChatStore } from '../chat-store.ts'
import { presetOf } from './chosen-tools.ts'
import { useToolCount } from './tool-picker.tsx'

const PHONE = '(max-width: 30rem)'

interface FoldedFeaturesProps {
  readonly store: ChatStore
  readonly model: ChatModel | null
  readonly children: ReactNode
}

/** Tools and features of the next answer, behind one button where a row of them would not fit. */
export function FoldedFeatures({ store, model, children }: FoldedFeaturesProps) {
  const { t } = useTranslation()
  const isPhone = useMedia(PHONE)
  const features = useStore(store, (state) => (state.tools ?? presetOf(model)).featureIds.length)
  const count = useToolCount(store, model) + features
  if (!isPhone) return children
  return (
    <Popover
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
          <Sparkles aria-hidden="true" className="size-4" />
          {count > 0 && <span className="tabular-nums">{count}</span>}
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
