//===- BodyRewriter.cpp - Loads and stores become a register --------------===//
#include "codegen/stage/BodyRewriter.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace kfuse {
namespace {

struct Item {
  const Access *access;
  const ForwardUse *use;
};

bool encloses(const SourceRange &outer, const SourceRange &inner) {
  return inner.file == outer.file && outer.begin <= inner.begin &&
         inner.end <= outer.end;
}

std::vector<std::string_view> words(const SourceText &source,
                                    std::uint32_t begin, std::uint32_t end) {
  std::vector<std::string_view> result;
  for (std::size_t i = tokenAt(source, begin);
       i < source.tokens.size() && source.tokens[i].begin < end; ++i)
    if (source.tokens[i].kind != TokenKind::Comment)
      result.push_back(spelling(source.text, source.tokens[i]));
  return result;
}

/// Checks whether the range holds a whole element, not a member of one.
bool isElement(const SourceText &source, const SourceRange &range) {
  const auto all = words(source, range.begin, range.end);
  if (all.empty())
    return false;
  if (all.front() == "*" || all.size() < 2)
    return true;
  const std::string_view before = all[all.size() - 2];
  return before != "." && before != "->";
}

/// Checks whether the text in [begin, end) is a statement of its own.
bool isStatement(const SourceText &source, std::uint32_t begin,
                 std::uint32_t end) {
  const std::size_t after = tokenAt(source, end);
  return beginsStatement(source, begin) && after < source.tokens.size() &&
         spelling(source.text, source.tokens[after]) == ";";
}

class Rewriter {
public:
  Rewriter(const SourceText &source, const SourceRange &body)
      : Source(source), Body(body) {}

  Result<Edits> run(const std::vector<ForwardUse> &uses) {
    if (const std::string why = collect(uses); !why.empty())
      return Refusal{why};
    for (const Item &item : Items) {
      if (const std::string why = rewrite(item); !why.empty())
        return Refusal{why};
      if (const auto rounded = item.use->rounding.find(item.access);
          rounded != item.use->rounding.end())
        Changes.append(rounded->second);
    }
    return std::move(Changes);
  }

private:
  /// Collects one item for each place in the text, outer expressions first.
  /// Returns why an access can't be rewritten, or an empty string.
  std::string collect(const std::vector<ForwardUse> &uses) {
    std::map<std::tuple<std::uint32_t, std::uint32_t>, Item> places;
    for (const ForwardUse &use : uses)
      for (const Access *access : use.accesses) {
        const SourceRange &range = access->range;
        const bool isLeft = access->form == AccessForm::Load &&
                            !use.role.consumes &&
                            (!use.role.produces || use.stored);
        if (isLeft)
          continue;
        if (!encloses(Body, range) || range.begin >= range.end ||
            !isElement(Source, range))
          return "an access isn't an element's plain text";
        if (access->form == AccessForm::UpdateLoad)
          continue;
        const auto [place, isNew] =
            places.try_emplace({range.begin, range.end}, Item{access, &use});
        const Item &known = place->second;
        if (!isNew &&
            (known.use != &use || known.access->form != access->form ||
             known.access->whole != access->whole))
          return "one text accesses memory in several ways";
      }
    for (const auto &[place, item] : places)
      Items.push_back(item);
    std::sort(Items.begin(), Items.end(), [](const Item &a, const Item &b) {
      const auto key = [](const Item &item) {
        const SourceRange &range = item.access->form == AccessForm::Load
                                       ? item.access->range
                                       : item.access->whole;
        return std::make_tuple(range.begin, ~range.end,
                               item.access->range.begin);
      };
      return key(a) < key(b);
    });
    return {};
  }

  std::string rewrite(const Item &item) {
    const Access &access = *item.access;
    const ForwardUse &use = *item.use;
    if (access.form == AccessForm::Load)
      return rewriteLoad(access, use);
    if (!use.role.produces)
      return {};
    const SourceRange &whole = access.whole;
    if (!encloses(Body, whole) || !encloses(whole, access.range) ||
        whole.inMacro)
      return "a store isn't plain text";
    if (access.form == AccessForm::Update)
      return rewriteUpdate(access, use);
    if (access.form != AccessForm::Store)
      return "an access has an unknown form";
    if (!use.stores() && !use.declaring)
      return replace(access.range, target(use));
    if (!encloses(whole, access.value) || access.value.inMacro ||
        access.value.begin < access.range.end)
      return "a stored value isn't plain text";
    if (use.declaring == &access)
      return declare(access, use);
    Changes.insert(access.value.begin, target(use) + " = ");
    return {};
  }

  /// Rewrites the store as the variable's declaration, which ends at the
  /// statement's semicolon. A store to memory that remains follows it.
  std::string declare(const Access &access, const ForwardUse &use) {
    const SourceRange &whole = access.whole;
    Changes.replace(whole.begin, access.value.begin, use.declaration);
    return use.stores() ? storeBehind(access, use) : std::string();
  }

  /// Stores the variable to the element in a statement of its own, behind that
  /// of the access.
  std::string storeBehind(const Access &access, const ForwardUse &use) {
    const std::size_t semicolon = tokenAt(Source, access.whole.end);
    if (semicolon >= Source.tokens.size())
      return "a store isn't a statement";
    Changes.insert(Source.tokens[semicolon].end,
                   "\n" + indentation(Source, access.whole.begin) +
                       std::string(Source.at(access.range)) + " = " +
                       use.variable + ";");
    return {};
  }

  /// Returns the target of a store.
  static std::string target(const ForwardUse &use) {
    if (use.written.empty())
      return use.variable;
    // In C what follows a comma is a value.
    return use.variable == use.parameter
               ? "(" + use.written + " = true, " + use.variable + ")"
               : "*(" + use.written + " = true, " + use.parameter + ")";
  }

  std::string take(const Access &access, const ForwardUse &use) {
    const auto known = use.sources.find(&access);
    const ForwardUse::Source source =
        known == use.sources.end() ? ForwardUse::Source{} : known->second;
    const std::string value = use.variable + source.element;
    if (!source.isPartial)
      return replace(access.range, value);
    const std::string written = use.written + source.element;
    Changes.insert(access.range.begin,
                   source.either.empty()
                       ? "(" + written + " ? " + value + " : "
                       : source.either + "(" + written + ", " + value + ", ");
    Changes.insert(access.range.end, ")");
    return {};
  }

  std::string rewriteLoad(const Access &access, const ForwardUse &use) {
    if (use.role.consumes)
      return take(access, use);
    // The element was never in memory, so the load must see this stage's own
    // store.
    for (const Access *store : use.accesses) {
      const bool isCovered =
          store->form == AccessForm::Store &&
          store->whole.end <= access.range.begin && store->loops.empty() &&
          std::all_of(store->guard.begin(), store->guard.end(),
                      [&](const Constraint &constraint) {
                        return constraint.relation != Relation::Unknown &&
                               std::find(access.guard.begin(),
                                         access.guard.end(),
                                         constraint) != access.guard.end();
                      });
      if (isCovered)
        return replace(access.range, use.variable);
    }
    return "a load of an array that is never stored may precede its store";
  }

  enum class Operator { Assignment, Prefix, Postfix, Unknown };

  /// Returns how an update is written, and in `spelled` its `++` or `--`.
  /// Parentheses around the element don't matter.
  Operator operatorOf(const Access &access, std::string &spelled) const {
    auto before = words(Source, access.whole.begin, access.range.begin);
    auto after = words(Source, access.range.end, access.whole.end);
    while (!before.empty() && before.back() == "(" && !after.empty() &&
           after.front() == ")") {
      before.pop_back();
      after.erase(after.begin());
    }
    const auto isStep = [](std::string_view word) {
      return word == "++" || word == "--";
    };
    if (before.size() == 1 && isStep(before[0]) && after.empty()) {
      spelled = before[0];
      return Operator::Prefix;
    }
    if (!before.empty() || after.empty())
      return Operator::Unknown;
    if (after.size() == 1 && isStep(after[0])) {
      spelled = after[0];
      return Operator::Postfix;
    }
    const bool isAssignment =
        after[0].size() >= 2 && after[0].back() == '=' &&
        std::string_view("+-*/%&|^<>").find(after[0][0]) !=
            std::string_view::npos &&
        after.size() > 1;
    return isAssignment ? Operator::Assignment : Operator::Unknown;
  }

  std::string rewriteUpdate(const Access &access, const ForwardUse &use) {
    const SourceRange &whole = access.whole;
    const std::string element(Source.at(access.range));
    const std::string &variable = use.variable;
    if (!use.role.consumes && !use.stored)
      return "an update of an array that is never stored reads memory";
    if (use.role.consumes && !use.stores())
      return replace(access.range, variable);
    std::string spelled;
    const Operator how = operatorOf(access, spelled);
    if (use.role.consumes && how != Operator::Unknown &&
        isStatement(Source, whole.begin, whole.end)) {
      replace(access.range, variable);
      return storeBehind(access, use);
    }
    // `old` holds the old value, and `copy` lets another have the new one too.
    const std::string &old = use.role.consumes ? variable : element;
    const std::string copy =
        use.declaring == &access
            ? use.declaration
            : (use.role.consumes ? element : target(use)) + " = ";
    switch (how) {
    case Operator::Assignment:
      Changes.insert(whole.begin, copy + "(");
      if (use.role.consumes)
        Changes.replace(access.range.begin, access.range.end, variable);
      Changes.insert(whole.end, ")");
      return {};
    case Operator::Prefix:
      return replaceStep(whole, copy + spelled + old);
    case Operator::Postfix:
      if (isStatement(Source, whole.begin, whole.end))
        return replaceStep(whole, copy + spelled + old);
      return replaceStep(whole, copy + old + " " + spelled[0] + " 1, " + old +
                                    spelled);
    case Operator::Unknown:
      break;
    }
    return "an update is written in an unknown way";
  }

  std::string replaceStep(const SourceRange &whole, const std::string &text) {
    const bool isBare = isStatement(Source, whole.begin, whole.end);
    Changes.replace(whole.begin, whole.end, isBare ? text : "(" + text + ")");
    return {};
  }

  /// Replaces the range by `variable`. If a word stands right before it, as may
  /// be before `*B`, a blank keeps `B_value` from running into that.
  std::string replace(const SourceRange &range, const std::string &variable) {
    const bool touches =
        range.begin > 0 && isIdentifierCharacter(Source.text[range.begin - 1]);
    Changes.replace(range.begin, range.end, (touches ? " " : "") + variable);
    return {};
  }

  const SourceText &Source;
  const SourceRange &Body;
  std::vector<Item> Items;
  Edits Changes;
};

} // namespace

Result<Edits> rewriteBody(const SourceText &source, const SourceRange &body,
                          const std::vector<ForwardUse> &uses) {
  return Rewriter(source, body).run(uses);
}

} // namespace kfuse
