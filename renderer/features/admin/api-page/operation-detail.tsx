import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../lib/class-names.ts'
import { TextArea, TextField } from '../../../ui/fields/text-field.tsx'
import { CodeBox } from '../code-box.tsx'
import { describeSchema, exampleOf } from './describe-schema.ts'
import type { ApiDocument, Operation, Schema } from './read-openapi.ts'
import { LANGUAGES, type SampleLanguage, writeSample } from './write-sample.ts'
import { TryIt } from './try-it.tsx'
import type { TryItStore } from './try-it-store.ts'
import { gatewayAddress } from '../../../lib/base-path.ts'

/** Returns the URL with the typed values filled in; missing ones remain as their names. */
export function fillPath(
  { path, parameters }: Operation,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  )
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: place }) =>
      place === 'query' && values[name] ? [[name, values[name]]] : [],
    ),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

function Samples({
  operation,
  path,
  body,
}: {
  operation: Operation
  path: string
  body: string | null
}) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const call = {
    origin: gatewayAddress(),
    method: operation.method,
    path,
    body,
    needsKey: !operation.isOpen,
  }
  return (
    <div className="min-w-0">
      <fieldset aria-label={t('admin.api.language')} className="mb-2 flex flex-wrap gap-1">
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === language}
            onClick={() => setLanguage(each)}
            className={classNames(
              'h-control rounded-medium px-2.5 text-small pointer-coarse:min-h-11',
              each === language ? 'bg-pressed font-medium' : 'text-muted hover:bg-hover',
            )}
          >
            {t(`admin.api.languages.${each}`)}
          </button>
        ))}
      </fieldset>
      <CodeBox label={t('admin.api.sample')} text={writeSample(language, call)} />
    </div>
  )
}

interface ParametersProps {
  readonly operation: Operation
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

function Parameters({ operation, values, onChange }: ParametersProps) {
  const { t } = useTranslation()
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {operation.parameters.map(({ name, in: place, required }) => (
        <TextField
          key={name}
          label={name}
          hint={
            place === 'path'
              ? t('admin.api.inPath')
              : required
                ? t('admin.api.inQueryRequired')
                : t('admin.api.inQuery')
          }
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={values[name] ?? ''}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </div>
  )
}

interface OperationDetailProps {
  readonly operation: Operation
  readonly schemas: ApiDocument['schemas']
  /** Id of an available model. */
  readonly model: string
  readonly store: TryItStore
}

/** Parameters and responses of a call, samples in three languages, and a form to try it. */
export function OperationDetail({ operation, schemas, model, store }: OperationDetailProps) {
  const { t } = useTranslation()
  const example = useMemo(() => {
    const hints = {
      model,
      messages: [{ role: 'user', content: t('admin.api.hello') }],
      max_tokens: 200,
    }
    return operation.body && JSON.stringify(exampleOf(operation.body, schemas, hints), null, 2)
  }, [operation, schemas, model, t])
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(example)
  const typeText = (schema: Schema): string => describeSchema(schema, schemas)
  const path = fillPath(operation, values)
  return (
    <div className="flex flex-col gap-5 px-4 pt-1 pb-5">
      {operation.parameters.length > 0 && (
        <Parameters
          operation={operation}
          values={values}
          onChange={(name, value) => setValues({ ...values, [name]: value })}
        />
      )}
      {body !== null && (
        <TextArea
          label={t('admin.api.body')}
          rows={Math.min(12, body.split('\n').length + 1)}
          spellCheck={false}
          dir="ltr"
          className="font-mono text-code!"
          value={body}
          onChange={setBody}
        />
      )}
      <Samples operation={operation} path={path} body={body} />
      <TryIt
        store={store}
        method={operation.method}
        path={path}
        body={body}
        isReady={!path.includes('{')}
      />
      {operation.body && <CodeBox label={t('admin.api.takes')} text={typeText(operation.body)} />}
      {operation.response && (
        <CodeBox label={t('admin.api.answers')} text={typeText(operation.response)} />
      )}
      {operation.failures.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
          {operation.failures.map(({ status, text }) => (
            <div key={status} className="contents">
              <dt className="tabular-nums">{status}</dt>
              <dd className="text-muted">{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}
