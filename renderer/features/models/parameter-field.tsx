import { RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { inputClasses } from '../../ui/fields/field.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { EFFORTS, type ParameterRow } from './parameters.ts'

interface ParameterFieldProps {
  readonly row: ParameterRow
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

interface ControlProps extends ParameterFieldProps {
  readonly id: string
  readonly describedBy: string
}

const toText = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function toList(text: string): string[] | undefined {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  return words.length > 0 ? words : undefined
}

function Control({ row, value, onChange, id, describedBy }: ControlProps) {
  const { t } = useTranslation()
  const { kind, min, max, step } = row
  if (kind === 'effort') {
    return (
      <SelectBox
        id={id}
        aria-describedby={describedBy}
        value={toText(value)}
        options={[
          { value: '', label: t('models.params.notSet') },
          ...EFFORTS.map((effort) => ({
            value: effort,
            label: t(`models.params.effort.${effort}`),
          })),
        ]}
        onChange={(value) => onChange(value || undefined)}
      />
    )
  }
  const isNumber = kind === 'number'
  const read = (text: string): unknown =>
    isNumber ? (text === '' ? undefined : Number(text)) : toList(text)
  return (
    <input
      id={id}
      aria-describedby={describedBy}
      type={isNumber ? 'number' : 'text'}
      {...(isNumber && { min, max, step: 'any', 'data-step': step })}
      defaultValue={toText(value)}
      key={value === undefined ? 'unset' : 'set'}
      placeholder={t('models.params.notSet')}
      autoComplete="off"
      onChange={(event) => onChange(read(event.target.value))}
      className={inputClasses}
    />
  )
}

/** One parameter with its description; an empty value leaves it to the model. */
export function ParameterField({ row, value, onChange }: ParameterFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const label = t(`models.params.names.${row.name}`)
  return (
    <div className="grid items-start gap-x-4 gap-y-1.5 py-3 sm:grid-cols-[minmax(0,1fr)_10rem]">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-small text-pretty text-muted">
          {t(`models.params.help.${row.name}`)}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <Control row={row} value={value} onChange={onChange} id={id} describedBy={`${id}-hint`} />
        <IconButton
          label={t('models.params.reset', { name: label })}
          icon={<RotateCcw />}
          disabled={value === undefined}
          onClick={() => onChange(undefined)}
        />
      </div>
    </div>
  )
}
