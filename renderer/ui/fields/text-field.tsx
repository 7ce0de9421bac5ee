import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { Field, inputClasses } from './field.tsx'
import { IconButton } from '../controls/icon-button.tsx'

interface TextProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null
  /** Called with the whole text. */
  readonly onChange?: (text: string) => void
}

type TextFieldProps = TextProps & Omit<ComponentProps<'input'>, 'id' | 'onChange'>

/** A labelled single-line text input. */
export function TextField({ label, hint, error, className, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <input
          dir="auto"
          {...rest}
          {...ids}
          onChange={({ target }) => onChange?.(target.value)}
          className={classNames(inputClasses, className)}
        />
      )}
    </Field>
  )
}

/** `isShown` is true if the text is readable from the beginning. */
type SecretFieldProps = TextFieldProps & { readonly isShown?: boolean }

/** A labelled password input that can be revealed. Pasting is always possible. */
export function SecretField({
  label,
  hint,
  error,
  className,
  isShown = false,
  onChange,
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
            onChange={({ target }) => onChange?.(target.value)}
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
  onChange,
  ...rest
}: TextProps & Omit<ComponentProps<'textarea'>, 'id' | 'onChange'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <textarea
          rows={3}
          dir="auto"
          {...rest}
          {...ids}
          onChange={({ target }) => onChange?.(target.value)}
          className={classNames(inputClasses, 'h-auto! resize-y py-2', className)}
        />
      )}
    </Field>
  )
}
