/** Signs in and consents like a browser; resolves with the URL the browser is redirected to. */
export async function agreeInBrowser(address: string, login: string): Promise<string> {
  const jar = new Map<string, string>()
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const reply = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      jar.set(name!, value!)
    }
    return reply
  }
  let next = address
  for (let step = 0; step < 12; step += 1) {
    if (next.includes('/oauth/clients/')) return next
    let reply = await visit(next)
    if (next.includes('/interaction/')) {
      const text = await reply.text()
      const isLogin = text.includes('name="login"')
      reply = await visit(
        next,
        isLogin ? { prompt: 'login', login, password: 'x' } : { prompt: 'consent' },
      )
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`${next}: ${reply.status} ${await reply.text()}`)
    next = new URL(location, next).href
  }
  throw new Error('The sign-in did not end.')
}
