import { useTranslation } from 'react-i18next'
import { FoldOut } from '../../ui/layout/fold-out.tsx'

/** Kinds of questions used in the measurement of the built-in engine, the easiest first. */
const QUESTIONS = ['sameWords', 'otherLanguage', 'otherWords', 'unusual'] as const

/** Measured search quality of the built-in engine. */
export function BuiltInFacts() {
  const { t } = useTranslation()
  const rows = [
    ...QUESTIONS.map((kind) => [
      t(`retrieval.engine.facts.${kind}.label`),
      t(`retrieval.engine.facts.${kind}.found`),
    ]),
    [t('retrieval.engine.facts.languages.label'), t('retrieval.engine.facts.languages.found')],
    [t('retrieval.engine.facts.rest.label'), t('retrieval.engine.facts.rest.found')],
  ] as const
  return (
    <FoldOut title={t('retrieval.engine.facts.title')}>
      <p className="mt-1 text-small text-pretty text-muted">{t('retrieval.engine.facts.text')}</p>
      <dl className="mt-2 divide-y divide-line rounded-large border border-line bg-raised">
        {rows.map(([label, found]) => (
          <div key={label} className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2.5">
            <dt className="min-w-0 flex-1 basis-48 text-small text-muted">{label}</dt>
            <dd className="min-w-0 flex-1 basis-48">{found}</dd>
          </div>
        ))}
      </dl>
    </FoldOut>
  )
}
