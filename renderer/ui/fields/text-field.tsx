import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Field, inputClasses } from './field.tsx'
import { IconButton } from '../controls/icon-button.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string
  hint?: ReactNode
  error?: string | null
}

/** A labelled single-line text input. */
export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input dir="auto" {...rest} {...ids} className={classNames(inputClasses, className)} />
      )}
    </Field>
  )
}

interface SecretFieldProps extends TextFieldProps {
  /** True if the text is readable from the beginning. */
  readonly isShown?: boolean | undefined
}

/** A labelled password input that can be revealed. Pasting is always possible. */
export function SecretField({
  label,
  hint,
  error,
  className,
  isShown = false,
  ...rest
}: SecretFieldProps) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(isShown)
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <span className="relative block">
          <input
            spellCheck={false}
            autoCapitalize="off"
            {...rest}
            {...ids}
            type={visible ? 'text' : 'password'}
            className={classNames(inputClasses, 'pe-10', className)}
          />
          <IconButton
            label={visible ? t('common.hideSecret') : t('common.showSecret')}
            icon={visible ? <EyeOff /> : <Eye />}
            onClick={() => setVisible(!visible)}
            className="absolute end-0.5 top-0.5 pointer-coarse:top-0"
          />
        </span>
      )}
    </Field>
  )
}

/** A labelled multi-line text input. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'id'> & {
  label: string
  hint?: ReactNode
  error?: string | null
}) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          rows={3}
          dir="auto"
          {...rest}
          {...ids}
          className={classNames(inputClasses, 'h-auto! resize-y py-2', className)}
        />
      )}
    </Field>
  )
}
