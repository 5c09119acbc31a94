'use strict';
// Draws the navigation beside a page, and searches 'index', whose entries are
// [title, kind, address, first sentence, whole text of an article].
const {root, path} = document.body.dataset, here = path.replace(/^\//, '') + '.html';
const list = document.querySelector('nav ul'), input = document.querySelector('nav input');
const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const link = (title, address) => {
  const made = element('a', {href: root + address.split('/').map(encodeURIComponent).join('/'), textContent: title});
  if (address === here) made.setAttribute('aria-current', 'page');
  return made;
};

// Children are shown of the page and of those that it is in.
const leadsHere = ([, address, children]) => address === here || children.some(leadsHere);
function branch(node) {
  const [title, address, children] = node;
  const item = address ? element('li', {}, link(title, address)) : element('li', {className: 'group', textContent: title});
  if (children.length && leadsHere(node)) item.append(element('ul', {}, ...children.map(branch)));
  return item;
}
function showNavigation() {
  list.className = '';
  list.replaceChildren(...modules.map(branch));
  const current = list.querySelector('[aria-current]'), side = list.parentElement;
  if (current) side.scrollTop = current.offsetTop - side.clientHeight / 2;
}

// Each word must be in an entry. Titles count most, and articles before symbols.
function rank([title, , , sentence, whole], words) {
  const name = title.toLowerCase(), rest = (sentence + ' ' + whole).toLowerCase();
  let points = whole ? 2 : 0;
  for (const word of words) {
    if (name === word || name.startsWith(word + '(')) points += 40;
    else if (name.startsWith(word)) points += 20;
    else if (name.includes(word)) points += 10;
    else if (!rest.includes(word)) return 0;
  }
  return points + (rest.includes(words.join(' ')) ? 30 : 0) + 1 / (1 + name.length);
}
function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return showNavigation();
  const found = index.map(entry => [rank(entry, words), entry]).filter(([points]) => points >= 0.001)
    .sort(([a], [b]) => b - a).slice(0, 60);
  list.className = 'found';
  list.replaceChildren(...found.map(([, [title, kind, address, sentence]]) => {
    const module = address.split('/')[1]?.replace('.html', '');
    return element('li', {}, link(title, address),
      element('small', {textContent: kind + ' · ' + module + (sentence ? ' · ' + sentence : '')}));
  }));
  if (!found.length) list.append(element('li', {textContent: 'Nothing has these words.'}));
}
input.addEventListener('input', search);
input.addEventListener('keydown', event => { if (event.key === 'Enter') list.querySelector('a')?.click(); });
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== input) { event.preventDefault(); input.focus(); }
});
showNavigation();
