/** How the search of the site weighs pages. */
export const localSearch = {
  provider: 'local',
  options: {
    miniSearch: {
      searchOptions: {
        // A reader who asks how comes before one who asks why, or for a signature. The browser gets
        // this function as text, so that it uses nothing but its arguments.
        boostDocument: (page: string): number =>
          page.includes('/docs/decisions/') ? 0.2 : page.includes('/site/reference/') ? 0.4 : 1,
      },
    },
  },
} as const;
