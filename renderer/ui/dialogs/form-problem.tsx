import { CircleAlert } from 'lucide-react'
import { languageOfSentence } from '../../lib/explain-fault.ts'

/** Error of a rejected form, shown at its top and announced to screen readers. */
export function FormProblem({ text }: { text: string | null }) {
  return (
    <div
      role="alert"
      className={
        text
          ? 'flex items-start gap-2 rounded-medium bg-danger-soft px-3 py-2 text-ui text-danger'
          : 'hidden'
      }
    >
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere" dir="auto" lang={languageOfSentence(text)}>
        {text}
      </span>
    </div>
  )
}
