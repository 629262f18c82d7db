// Search of the documentation without a server. The index (search-index.js) is a list of sections: [page, anchor, title
// of the page, heading, text]. It is loaded when the field first has the focus, because it is larger than a page.
'use strict';
(() => {
  const field = document.getElementById('search'), list = document.getElementById('found');
  const home = field.dataset.home;  // path from this page to the folder of index.html
  const most = 30;  // listed sections
  let index = null;

  function load() {
    if (index || document.getElementById('search-index')) return;
    const script = document.createElement('script');
    script.id = 'search-index';
    script.src = home + 'search-index.js';
    script.onload = () => { index = window.searchIndex; show(); };
    document.head.append(script);
  }
  // Returns the rank of a section: 0 without a word of the query, larger for words in headings.
  function rank([, , title, heading, text], words) {
    let sum = 0;
    for (const word of words) {
      const count = text.split(word).length - 1;
      const here = (title.toLowerCase().includes(word) ? 20 : 0) + (heading.toLowerCase().includes(word) ? 40 : 0) + Math.min(count, 9);
      if (here === 0) return 0;
      sum += here;
    }
    return sum;
  }
  function excerpt(text, word) {
    const at = Math.max(0, text.indexOf(word) - 40);
    return (at > 0 ? '… ' : '') + text.slice(at, at + 110) + ' …';
  }
  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    document.documentElement.toggleAttribute('data-searching', words.length > 0);
    list.textContent = '';
    if (!index || !words.length) return;
    const hits = index.map(section => [rank(section, words), section]).filter(([r]) => r > 0);
    hits.sort((a, b) => b[0] - a[0]);
    for (const [, [page, anchor, title, heading, text]] of hits.slice(0, most)) {
      const link = document.createElement('a'), item = document.createElement('li'), more = document.createElement('small');
      link.href = home + page + (anchor ? '#' + anchor : '');
      link.textContent = heading && heading !== title ? `${title}: ${heading}` : title;
      more.textContent = excerpt(text, words[0]);
      item.append(link, more);
      list.append(item);
    }
    const note = document.createElement('li');
    note.textContent = hits.length > most ? `${hits.length} sections, the first ${most} listed` : hits.length ? '' : 'No section contains all words.';
    list.append(note);
  }
  field.addEventListener('focus', load);
  field.addEventListener('input', () => { load(); show(); });
  field.addEventListener('keydown', event => {
    if (event.key === 'Escape') { field.value = ''; show(); }
    if (event.key === 'Enter' && list.querySelector('a')) location.href = list.querySelector('a').href;
  });
  document.addEventListener('keydown', event => {
    if (event.key === '/' && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  });
  // A link of the form page.html?search=word opens the page with the results of a search.
  const asked = new URLSearchParams(location.search).get('search');
  if (asked) { field.value = asked; load(); }
})();
