import type { DoctorFinding, DoctorMend } from '#contract/doctor.ts'
import type { Answer } from './ask-models.ts'
import { bad, good, look, type Found } from './finding.ts'

type Reply = Extract<Answer, { kind: 'reply' }>

/** Corrections found by asking the same server under other paths. */
export interface Better {
  readonly mends: readonly DoctorMend[]
}

const asksForKey = ({ status }: Reply): boolean => status === 401 || status === 403

/** Returns true if other URLs may be the right ones. */
export const mayBeElsewhere = (answer: Answer): boolean =>
  answer.kind === 'reply' &&
  answer.form !== 'models' &&
  !asksForKey(answer) &&
  answer.status !== 407 &&
  answer.status !== 429 &&
  answer.status < 500

const silent = (mends: readonly DoctorMend[]): Found => ({
  code: 'silent',
  text: 'The server took the call and never answered.',
  advice: 'It may be loading a model, or hang: look at its own window or log, and start it again.',
  mends,
})

const BROKEN: Found = {
  code: 'broken_off',
  text: 'The server ended the connection before it answered.',
  advice: 'It may have crashed or speak something else than HTTP. Look at its log.',
}

/** Returns the URL a server redirects to, without the suffix that the gateway adds itself. */
function readRedirect({ location }: Reply, asked: string, end: string): string | null {
  const url = location === null ? null : URL.parse(location, asked)
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith(end) ? path.slice(0, -end.length) : path}`
}

function judgeRedirect(reply: Reply, asked: string, end: string): DoctorFinding {
  const url = readRedirect(reply, asked, end)
  return bad('answer', {
    code: 'redirected',
    text: 'The server sends callers on to another address.',
    advice: url === null ? 'Enter the final address.' : `Enter the final address: ${url}.`,
    mends: url === null ? [] : [{ kind: 'address', url }],
  })
}

function judgeFailing({ status }: Reply): DoctorFinding {
  if (status === 503 || status === 529)
    return bad('answer', {
      code: 'busy',
      text: `The server is busy or still starting (status ${status}).`,
      advice: 'Wait a minute and run the check again.',
    })
  return bad('answer', {
    code: 'failing',
    text: `The server failed (status ${status}).`,
    advice: 'The fault is on its side: look at its log, or at the status page of the provider.',
  })
}

function judgeOther({ form, status }: Reply, { mends }: Better): DoctorFinding {
  const advice =
    mends.length > 0
      ? 'A server of models answers under the address below.'
      : 'Check port and path. Most providers want /v1 at the end.'
  if (form === 'page')
    return bad('answer', {
      code: 'web_page',
      text: 'A web page answers there, not a server of models.',
      advice,
      mends,
    })
  if (status === 404 || status === 405)
    return bad('answer', {
      code: 'wrong_path',
      text: `A server answers there, but has nothing under this path (status ${status}).`,
      advice,
      mends,
    })
  if (status >= 400)
    return bad('answer', {
      code: 'refused',
      text: `The server refuses to list its models (status ${status}).`,
      advice,
      mends,
    })
  return bad('answer', {
    code: 'not_models',
    text: 'Something answers there, but not with a list of models.',
    advice,
    mends,
  })
}

interface Case {
  readonly asked: string
  /** Suffix the gateway adds to the URL when it requests models. */
  readonly end: string
  readonly timeoutSeconds: number
  readonly better: Better
}

const SHORT_TIMEOUT = 20
const USUAL_TIMEOUT = 60

/** Judges the response of a server that accepted the connection. */
export function judgeAnswer(answer: Answer, found: Case): DoctorFinding {
  if (answer.kind === 'fault') {
    const mends =
      found.timeoutSeconds < SHORT_TIMEOUT
        ? [{ kind: 'timeout', seconds: USUAL_TIMEOUT } as const]
        : []
    return bad('answer', answer.code === 'SILENT' ? silent(mends) : BROKEN)
  }
  if (answer.form === 'models' && answer.status < 300)
    return good('answer', 'answers', 'A server of models answers.')
  if (asksForKey(answer)) return good('answer', 'answers', 'The server answers and asks who calls.')
  if (answer.status === 429)
    return look('answer', {
      code: 'limited',
      text: 'The server answers, but has had too many calls.',
      advice: 'Wait a moment, or ask the provider for a higher limit.',
    })
  if (answer.status >= 300 && answer.status < 400)
    return judgeRedirect(answer, found.asked, found.end)
  if (answer.status >= 500) return judgeFailing(answer)
  return judgeOther(answer, found.better)
}
