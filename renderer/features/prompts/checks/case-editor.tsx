import { Plus, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/controls/button.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { SelectBox } from '../../../ui/controls/select.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../../ui/fields/fields-of.ts'
import { KINDS, newExpectation, type CaseDraft, type ExpectationDraft } from './check-draft.ts'

interface ExpectationLineProps {
  readonly expectation: ExpectationDraft
  readonly onChange: (part: Partial<ExpectationDraft>) => void
  /** Removes the check; null for the only one. */
  readonly onRemove: (() => void) | null
}

function ExpectationLine({ expectation, onChange, onRemove }: ExpectationLineProps) {
  const { t } = useTranslation()
  const field = fieldsOf(expectation, onChange)
  return (
    <li className="flex flex-wrap items-end gap-2">
      <SelectBox
        isNarrow
        aria-label={t('promptChecks.kind')}
        options={KINDS.map((kind) => ({ value: kind, label: t(`promptChecks.kinds.${kind}`) }))}
        {...field('kind')}
      />
      <div className="min-w-48 flex-1">
        <TextField
          label={t('promptChecks.expected')}
          required
          maxLength={4000}
          autoComplete="off"
          {...field('text')}
        />
      </div>
      {onRemove && (
        <IconButton label={t('promptChecks.removeExpectation')} icon={<X />} onClick={onRemove} />
      )}
    </li>
  )
}

interface CaseEditorProps {
  readonly draft: CaseDraft
  /** Names of the prompt's variables. */
  readonly blanks: readonly string[]
  readonly onChange: (part: Partial<CaseDraft>) => void
  readonly onRemove: () => void
}

/** One check: values for the variables, and expectations of the answer. */
export function CaseEditor({ draft, blanks, onChange, onRemove }: CaseEditorProps) {
  const { t } = useTranslation()
  const { name, values, expectations } = draft
  const change = (key: number, part: Partial<ExpectationDraft>): void =>
    onChange({
      expectations: expectations.map((one) => (one.key === key ? { ...one, ...part } : one)),
    })
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-medium border border-line p-4">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <TextField
            label={t('promptChecks.name')}
            required
            maxLength={200}
            autoComplete="off"
            value={name}
            onChange={(name) => onChange({ name })}
          />
        </div>
        <IconButton
          label={t('promptChecks.remove', { name })}
          icon={<Trash2 />}
          onClick={onRemove}
        />
      </div>
      {blanks.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {blanks.map((blank) => (
            <TextField
              key={blank}
              label={blank}
              maxLength={20_000}
              autoComplete="off"
              value={values[blank] ?? ''}
              onChange={(value) => onChange({ values: { ...values, [blank]: value } })}
            />
          ))}
        </div>
      )}
      <ul aria-label={t('promptChecks.expectations')} className="flex flex-col gap-3">
        {expectations.map((expectation) => (
          <ExpectationLine
            key={expectation.key}
            expectation={expectation}
            onChange={(part) => change(expectation.key, part)}
            onRemove={
              expectations.length < 2
                ? null
                : () =>
                    onChange({ expectations: expectations.filter((one) => one !== expectation) })
            }
          />
        ))}
      </ul>
      <div>
        <Button
          tone="quiet"
          icon={<Plus className="size-4" />}
          onClick={() => onChange({ expectations: [...expectations, newExpectation()] })}
        >
          {t('promptChecks.addExpectation')}
        </Button>
      </div>
    </fieldset>
  )
}
