import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Spinner } from '../marks/spinner.tsx'

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger'

const TONES: Record<ButtonTone, string> = {
  primary: 'px-4 bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'px-3 border border-edge/60 bg-raised text-ink hover:bg-hover active:bg-pressed',
  quiet: 'px-3 text-ink hover:bg-hover active:bg-pressed',
  danger: 'px-3 bg-danger text-on-danger hover:bg-danger-strong',
}

/**
 * All tones have the same height, so that any can share a row. The height can be overridden, for
 * instance with `h-primary` beside a field.
 */
const BASE =
  '[:where(&)]:h-control inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-medium text-ui font-medium whitespace-nowrap ' +
  'transition-colors duration-(--motion-in) pointer-coarse:min-h-11 ' +
  'disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50 forced-colors:border forced-colors:border-[ButtonBorder]'

export interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone
  icon?: ReactNode
  /** Shows a spinner and ignores clicks; the label stays to keep the width. */
  busy?: boolean
}

/** Subdued style of a main button that is not available yet, such as Save before any change. */
const CALM = 'px-4 border border-edge/60 bg-raised text-ink'

/** A labelled button; `secondary` by default. */
export function Button({
  tone = 'secondary',
  icon,
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ButtonProps) {
  const isCalm = tone === 'primary' && rest.disabled === true
  return (
    <button
      {...rest}
      type={type}
      // Not disabled while busy: that would remove the focus from it.
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classNames(BASE, isCalm ? CALM : TONES[tone], className)}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends ComponentProps<'a'> {
  tone?: ButtonTone
  icon?: ReactNode
}

/** A link styled as a button, for targets outside the page. */
export function ButtonLink({
  tone = 'secondary',
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a {...rest} className={classNames(BASE, TONES[tone], className)}>
      {icon}
      {children}
    </a>
  )
}
