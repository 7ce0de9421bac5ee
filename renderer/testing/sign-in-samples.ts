/** Responses about signing in with a provider. */
export const signInSamples = {
  'GET /api/v1/auths/oauth/sessions': [
    {
      id: '1',
      user_id: '1',
      provider: '2',
      expires_at: 1,
      is_renewable: false,
      created_at: 1,
      updated_at: 1,
    },
  ],
  'GET /api/v1/auths/admin/oauth/providers': {
    is_editable: false,
    providers: [
      {
        id: '1',
        name: '2',
        is_configured: false,
        missing: ['3'],
        discovery_url: null,
        redirect_uri: '4',
        backchannel_logout_uri: '5',
      },
    ],
  },
}
