import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../lib/class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger'

const TONES: Record<ButtonTone, string> = {
  primary: 'px-4 bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'px-3 border border-edge/60 bg-raised text-ink hover:bg-hover active:bg-pressed',
  quiet: 'px-3 text-ink hover:bg-hover active:bg-pressed',
  danger: 'px-3 bg-danger text-on-danger hover:bg-danger-strong',
}

/**
 * All are as high as each other, whatever their tone, so that any can stand in one row. The height
 * yields to one that is asked for, such as `h-primary` beside a field.
 */
const BASE =
  '[:where(&)]:h-control inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-medium text-ui font-medium whitespace-nowrap ' +
  'transition-colors duration-(--motion-in) pointer-coarse:min-h-11 ' +
  'disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50 forced-colors:border forced-colors:border-[ButtonBorder]'

export interface ButtonProps extends ComponentProps<'button'> {
  tone?: ButtonTone
  icon?: ReactNode
  /** Shows a spinner and takes no clicks; the label stays, so that the width does. */
  busy?: boolean
}

/** A main button that cannot be pressed yet, such as Save before anything was changed, is calm. */
const CALM = 'px-4 border border-edge/60 bg-raised text-ink'

/** A labelled button; `secondary` unless told otherwise. */
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
      // Not disabled while it is busy: that would take the focus away from whoever pressed it.
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

/** A link that looks like a button, for what leads away from the page. */
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
