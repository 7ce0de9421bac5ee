import { useId, type ReactNode } from 'react'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null
  readonly children: (ids: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

/** Label, control, hint and error of one form field, tied together for screen readers. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const describedBy =
    [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-ui font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** Style shared by all text inputs. */
export const inputClasses =
  'h-primary w-full min-w-0 rounded-medium border border-edge bg-raised px-3 text-ui text-ink transition-[border-color,box-shadow] duration-(--motion-in) ' +
  'hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-accent ' +
  'aria-invalid:border-danger disabled:opacity-55 pointer-coarse:min-h-11'
