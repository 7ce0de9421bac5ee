import { X } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { toSentence } from '../../api/api-error.ts'
import { classNames } from '../../lib/class-names.ts'
import { languageOfSentence } from '../../lib/explain-fault.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { announce } from '../layout/live-region.tsx'

export interface ToastRequest {
  readonly text: string
  readonly tone?: 'neutral' | 'success' | 'warning' | 'danger'
  /** True if it stays until the user acts on it or dismisses it. */
  readonly lasts?: boolean
  readonly action?: { readonly label: string; readonly onSelect: () => void }
}

interface ToastRow extends ToastRequest {
  readonly id: number
}

const EDGES = {
  neutral: '',
  success: 'border-s-4 border-s-accent',
  warning: 'border-s-4 border-s-warning',
  danger: 'border-s-4 border-s-danger',
} as const

const SHOWN_FOR = 6_000
const SHOWN_WITH_ACTION = 10_000
const MOST = 3

const toastStore = createStore<{ toasts: readonly ToastRow[] }>(() => ({ toasts: [] }))
let lastId = 0

const remove = (id: number): void =>
  toastStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }))

/** Shows a notification as `toast` does, and returns a function that takes it away. */
export function holdToast(request: ToastRequest): () => void {
  const id = ++lastId
  toastStore.setState(({ toasts }) => ({ toasts: [...toasts, { ...request, id }].slice(-MOST) }))
  announce(request.action ? `${request.text} ${request.action.label}` : request.text)
  return () => remove(id)
}

/**
 * Shows a short notification and announces it to screen readers. Errors that need a decision belong
 * in the place where they occur.
 */
export const toast = (request: ToastRequest): void => void holdToast(request)

/** Shows an error as a sentence. */
export const toastError = (thrown: unknown): void =>
  toast({ tone: 'danger', text: toSentence(thrown) })

function ToastCard({ row }: { row: ToastRow }) {
  const { t } = useTranslation()
  useEffect(() => {
    if (row.lasts) return undefined
    const timer = setTimeout(() => remove(row.id), row.action ? SHOWN_WITH_ACTION : SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [row])
  return (
    <li
      className={classNames(
        'pointer-events-auto flex max-w-full animate-rise items-center gap-1 rounded-medium border border-line bg-raised ps-4 pe-1 text-ui shadow-high',
        row.tone && EDGES[row.tone],
      )}
    >
      <span
        className="min-w-0 flex-1 py-2 pe-2 wrap-anywhere"
        dir="auto"
        lang={languageOfSentence(row.text)}
      >
        {row.text}
      </span>
      {row.action && (
        <button
          type="button"
          className="h-8 shrink-0 rounded-small px-2 font-medium text-accent hover:bg-hover pointer-coarse:min-h-11"
          onClick={() => {
            row.action?.onSelect()
            remove(row.id)
          }}
        >
          {row.action.label}
        </button>
      )}
      <IconButton
        size="small"
        label={t('common.dismiss')}
        icon={<X />}
        side="top"
        onClick={() => remove(row.id)}
      />
    </li>
  )
}

/**
 * Container of toasts; once in the app. It reserves space at the top, over sheets too, so that
 * toasts cover neither text nor buttons.
 */
export function Toaster() {
  const { t } = useTranslation()
  const toasts = useStore(toastStore, (state) => state.toasts)
  return (
    <section
      aria-label={t('common.notifications')}
      className="pointer-events-none relative z-60 shrink-0"
    >
      <ol className="mx-auto flex max-w-md flex-col items-center gap-2 px-3 not-empty:py-2">
        {toasts.map((row) => (
          <ToastCard key={row.id} row={row} />
        ))}
      </ol>
    </section>
  )
}
