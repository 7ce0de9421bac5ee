import { admin, type MatrixRow } from './matrix-row.ts'

const params = () => ({ model_id: 'guide' })

export const analyticsRows: Readonly<Record<string, MatrixRow>> = {
  'analytics.summary': admin(),
  'analytics.models': admin(),
  'analytics.users': admin(),
  'analytics.daily': admin(),
  'analytics.tokens': admin(),
  'analytics.messages': admin({ query: '?model_id=guide' }),
  'analytics.chats': admin({ params }),
  'analytics.overview': admin({ params }),
  'analytics.export': admin({ query: '?table=people' }),
}
