import type { TFunction } from 'i18next'
import type { ArtifactProblem } from './artifact-protocol.ts'
import type { Artifact, ArtifactVersion } from './collect-artifacts.ts'

/** Describes a problem in one sentence. */
export function describeProblem(t: TFunction, { kind, text, line }: ArtifactProblem): string {
  if (kind === 'blocked') return t('artifacts.blockedAddress', { address: text })
  if (kind === 'module') return t('artifacts.module', { name: text })
  return line === null ? text : `${text} (${t('artifacts.ask.line', { line })})`
}

/** Returns a fence that no line of the source can close. */
function fence(source: string): string {
  const longest = Math.max(2, ...(source.match(/`+/g) ?? []).map((run) => run.length))
  return '`'.repeat(longest + 1)
}

/** Returns the request to the model; the user reviews it before it is sent. */
export function askToMend(
  t: TFunction,
  { kind, language }: Artifact,
  { source, isEdit }: ArtifactVersion,
  {
    problems,
    origins,
  }: { readonly problems: readonly ArtifactProblem[]; readonly origins: readonly string[] },
): string {
  const mark = fence(source)
  return [
    t('artifacts.ask.intro', { kind: t(`artifacts.kind.${kind}`) }),
    problems.map((problem) => `- ${describeProblem(t, problem)}`).join('\n'),
    ...(isEdit ? [`${t('artifacts.ask.edited')}\n\n${mark}${language}\n${source}\n${mark}`] : []),
    origins.length === 0
      ? t('artifacts.ask.please')
      : t('artifacts.ask.pleaseWithNetwork', { addresses: origins.join(' ') }),
  ].join('\n\n')
}
