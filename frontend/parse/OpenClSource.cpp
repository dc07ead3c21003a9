//===- OpenClSource.cpp - The kernels' text in an OpenCL host -------------===//

#include "frontend/parse/OpenClSource.h"

#include "frontend/api/Callees.h"
#include "frontend/api/FileReads.h"
#include "frontend/api/OpenClCalls.h"
#include "frontend/syntax/Lvalues.h"
#include "frontend/syntax/SourceVisitor.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace kfuse {

using namespace clang;

namespace {

/// The calls that make programs, and where variables are named.
class SourceTextFinder : public SourceVisitor {
public:
  std::vector<const CallExpr *> creations, builds;
  std::vector<const CXXConstructExpr *> objects; ///< cl::Program
  bool makesOthers = false; ///< programs of something else than a string
  bool asksForText = false; ///< or for which kernels it has
  unsigned buildMentions = 0;
  std::map<const VarDecl *, std::vector<const DeclRefExpr *>> mentions;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    const std::string name = callee ? plainName(*callee) : std::string();
    if (name == "clCreateProgramWithSource")
      creations.push_back(call);
    else if (name == "clBuildProgram" || name == "cl::Program::build")
      builds.push_back(call);
    else if (name.starts_with("clCreateProgramWith") ||
             name == "clCompileProgram" || name == "clLinkProgram")
      makesOthers = true;
    asksForText |=
        name == "clGetProgramInfo" || name == "clCreateKernelsInProgram";
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    if (openClClass(made->getType()) == "Program" && made->getNumArgs() != 0 &&
        !made->getConstructor()->isCopyOrMoveConstructor())
      objects.push_back(made);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *name) override {
    const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
    buildMentions += function && plainName(*function) == "clBuildProgram";
    if (const auto *variable = dyn_cast<VarDecl>(name->getDecl()))
      mentions[variable->getCanonicalDecl()].push_back(name);
    return true;
  }
};

/// Returns the value that `variable` begins with. Parameters have none, because
/// any call of the function may give them something else.
const Expr *initOf(const VarDecl &variable) {
  if (isa<ParmVarDecl>(variable))
    return nullptr;
  const VarDecl *definition = nullptr;
  const Expr *init = variable.getAnyInitializer(definition);
  return init ? init->IgnoreParenCasts() : nullptr;
}

/// Returns the literal that `expression` is, or that a variable begins with,
/// which is then one of `holders`.
const StringLiteral *literalOf(const Expr &expression,
                               std::set<const VarDecl *> &holders) {
  const Expr &value = *expression.IgnoreParenCasts();
  if (const auto *literal = dyn_cast<StringLiteral>(&value))
    return literal;
  const VarDecl *variable = namedVariable(value);
  const Expr *init = variable ? initOf(*variable) : nullptr;
  const TypeSourceInfo *written =
      variable ? variable->getTypeSourceInfo() : nullptr;
  // More text must have room in an array.
  const bool hasRoom =
      init && (variable->getType()->isPointerType() ||
               (written && written->getType()->isIncompleteArrayType()));
  if (!hasRoom)
    return nullptr;
  holders.insert(variable->getCanonicalDecl());
  return literalOf(*init, holders);
}

class Search {
public:
  Search(ASTUnit &host, const std::string &folder)
      : Ast(host.getASTContext()), Sources(host.getSourceManager()),
        Folder(folder) {
    for (Decl *declaration : Ast.getTranslationUnitDecl()->decls())
      if (!Sources.isInSystemHeader(
              Sources.getExpansionLoc(declaration->getLocation())))
        Found.TraverseDecl(declaration);
  }

  OpenClSource run() {
    OpenClSource refused;
    refused.obstacle = find();
    return refused.obstacle.empty() ? std::move(Result) : refused;
  }

private:
  std::string find() {
    const std::size_t count = Found.creations.size() + Found.objects.size();
    if (count == 0 && !Found.makesOthers)
      return "no program is made of a string here";
    if (count != 1 || Found.makesOthers)
      return "the host makes more than one program";
    const auto builds = std::count_if(
        Found.builds.begin(), Found.builds.end(),
        [](const CallExpr *call) { return !isa<CXXMemberCallExpr>(call); });
    if (builds != Found.buildMentions)
      return "the host may build the program through a pointer";
    if (Found.asksForText)
      return "the host asks for the text of its program";
    return Found.creations.empty() ? findInClasses() : findInC();
  }

  std::string findInC() {
    const CallExpr &call = *Found.creations.front();
    if (call.getNumArgs() != 5)
      return "the call that makes the program has errors";
    const std::vector<const StringLiteral *> literals =
        sourceOf(*call.getArg(2));
    Expr::EvalResult count;
    if (literals.empty() || !call.getArg(1)->EvaluateAsInt(count, Ast) ||
        count.Val.getInt().getLimitedValue() != literals.size())
      return NoString;
    if (!isNull(*call.getArg(3)) &&
        !(literals.size() == 1 && areLengths(*call.getArg(3))))
      return "how long the text of the kernels is isn't told by the text";
    for (const StringLiteral *literal : literals)
      if (const std::string why = addLiteral(*literal); !why.empty())
        return why;
    return isUsedElsewhere(call) ? UsesText : addOptions();
  }

  std::string findInClasses() {
    const CXXConstructExpr &made = *Found.objects.front();
    const auto named = [&](llvm::StringRef name) {
      return argumentNamed(name, *made.getConstructor(),
                           {made.getArgs(), made.getNumArgs()});
    };
    const Expr *source = named("source");
    if (std::string why = source ? addText(*source) : NoString; !why.empty())
      return why;
    if (isUsedElsewhere(made))
      return UsesText;
    const Expr *build = named("build");
    return build && constantOf(*build, Ast) == 1 && Found.builds.empty()
               ? std::string()
               : addOptions();
  }

  /// Adds the text of `expression`, a std::string or what becomes one.
  std::string addText(const Expr &expression) {
    if (const StringLiteral *literal = literalIn(expression))
      return addLiteral(*literal);
    if (const auto path = fileReadBy(expression))
      return addFile(expression, *path);
    const Expr *value = expression.IgnoreUnlessSpelledInSource();
    if (const auto *text = dyn_cast<CXXMemberCallExpr>(value);
        text && text->getMethodDecl() &&
        text->getMethodDecl()->getNameAsString() == "c_str" &&
        libraryClass(text->getImplicitObjectArgument()->getType()) ==
            "basic_string")
      value = text->getImplicitObjectArgument();
    if (const auto *made = dyn_cast<CXXConstructExpr>(value)) {
      const Expr *text = wholeString(*made);
      return text ? addText(*text) : NoString;
    }
    const VarDecl *variable = namedVariable(*value);
    const Expr *init = variable ? initOf(*variable) : nullptr;
    if (!init || Holders.count(variable->getCanonicalDecl()) != 0)
      return NoString;
    Result.name = variable->getNameAsString();
    if (libraryClass(variable->getType()) == "basic_string") {
      Holders.insert(variable->getCanonicalDecl());
      return addText(*init);
    }
    const StringLiteral *literal = literalOf(*value, Holders);
    return literal ? addLiteral(*literal) : NoString;
  }

  /// Adds the text that the file has now.
  std::string addFile(const Expr &expression, const std::string &path) {
    const SourceLocation begin = expression.getBeginLoc();
    const SourceLocation end = Lexer::getLocForEndOfToken(
        expression.getEndLoc(), 0, Sources, Ast.getLangOpts());
    if (begin.isMacroID() || end.isInvalid() || end.isMacroID() ||
        !Sources.isInMainFile(begin))
      return "the text of the kernels isn't plain text of the file";
    llvm::SmallString<256> whole(path);
    if (!llvm::sys::path::is_absolute(path)) {
      whole = Folder;
      llvm::sys::path::append(whole, path);
    }
    auto content = llvm::MemoryBuffer::getFile(whole, /*IsText=*/true);
    if (!content)
      return "the kernels' file '" + whole.str().str() + "' can't be read";
    Result.text = (*content)->getBuffer().str();
    Result.path = whole.str().str();
    Result.place.load = Sources.getFileOffset(begin);
    Result.place.end = Sources.getFileOffset(end);
    return withoutNul();
  }

  /// Checks whether a variable that holds the text, or says how long it is, has
  /// another use: it would see the text change.
  bool isUsedElsewhere(const Expr &creation) {
    SourceTextFinder known;
    known.TraverseStmt(const_cast<Expr *>(&creation));
    for (const VarDecl *holder : Holders)
      if (const Expr *init = initOf(*holder))
        known.TraverseStmt(const_cast<Expr *>(init));
    return std::any_of(
        Holders.begin(), Holders.end(), [&](const VarDecl *holder) {
          const auto &all = Found.mentions[holder];
          const auto &own = known.mentions[holder];
          return std::any_of(
              all.begin(), all.end(), [&](const DeclRefExpr *mention) {
                return std::find(own.begin(), own.end(), mention) == own.end();
              });
        });
  }

  /// Checks whether `lengths` is `&length`, or an array of a length, that is
  /// `strlen(source)` or `sizeof(source) - 1`, so that more text makes it more.
  bool areLengths(const Expr &lengths) {
    const Expr *pointer = addressee(lengths);
    const Expr *value = lengths.IgnoreParenImpCasts();
    if (const auto *compound = dyn_cast<CompoundLiteralExpr>(value))
      value = compound->getInitializer();
    if (pointer)
      value = pointer;
    if (const VarDecl *variable = namedVariable(*value)) {
      value = initOf(*variable);
      Holders.insert(variable->getCanonicalDecl());
    }
    const auto *list = dyn_cast_or_null<InitListExpr>(value);
    if (list && list->getNumInits() == 1)
      value = list->getInit(0)->IgnoreParenCasts();
    return value && isLength(*value);
  }

  bool isLength(const Expr &expression) const {
    const Expr &value = *expression.IgnoreParenCasts();
    if (const auto *call = dyn_cast<CallExpr>(&value)) {
      const FunctionDecl *callee = call->getDirectCallee();
      return callee && plainName(*callee) == "strlen" &&
             call->getNumArgs() == 1 && isSource(*call->getArg(0));
    }
    const auto *operation = dyn_cast<BinaryOperator>(&value);
    const auto *one =
        operation && operation->getOpcode() == BO_Sub
            ? dyn_cast<IntegerLiteral>(operation->getRHS()->IgnoreParenCasts())
            : nullptr;
    const auto *size = one && one->getValue() == 1
                           ? dyn_cast<UnaryExprOrTypeTraitExpr>(
                                 operation->getLHS()->IgnoreParenCasts())
                           : nullptr;
    return size && size->getKind() == UETT_SizeOf && !size->isArgumentType() &&
           size->getArgumentExpr()->getType()->isArrayType() &&
           isSource(*size->getArgumentExpr());
  }

  /// Checks whether `expression` is a variable that holds the text.
  bool isSource(const Expr &expression) const {
    const VarDecl *variable = namedVariable(expression);
    return variable && Holders.count(variable->getCanonicalDecl()) != 0;
  }

  bool isNull(const Expr &expression) const {
    return expression.isNullPointerConstant(
               Ast, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
  }

  /// Returns the literals of `strings`: `&source` of a variable that nothing
  /// else can change, or an array of such pointers.
  std::vector<const StringLiteral *> sourceOf(const Expr &strings) {
    const Expr *pointer = addressee(strings);
    const VarDecl *variable = namedVariable(pointer ? *pointer : strings);
    if (!variable)
      return {};
    Holders = {variable->getCanonicalDecl()};
    const Expr *init = initOf(*variable);
    const QualType type = variable->getType();
    Result.name = variable->getNameAsString();
    std::vector<const StringLiteral *> literals;
    if (pointer && init && type->isPointerType())
      literals.push_back(literalOf(*init, Holders));
    const auto *list = dyn_cast_or_null<InitListExpr>(init);
    if (!pointer && type->isArrayType() && list)
      for (const Expr *each : list->inits())
        literals.push_back(literalOf(*each, Holders));
    const bool areAll =
        std::find(literals.begin(), literals.end(), nullptr) == literals.end();
    return areAll ? literals : std::vector<const StringLiteral *>();
  }

  std::string addLiteral(const StringLiteral &literal) {
    if (!literal.isOrdinary())
      return "the text of the kernels is a string of wide characters";
    for (unsigned i = 0; i < literal.getNumConcatenated(); ++i) {
      const SourceLocation token = literal.getStrTokenLoc(i);
      if (token.isMacroID() || !Sources.isInMainFile(token))
        return "the text of the kernels isn't plain text of the file";
    }
    const SourceLocation last =
        literal.getStrTokenLoc(literal.getNumConcatenated() - 1);
    const unsigned size =
        Lexer::MeasureTokenLength(last, Sources, Ast.getLangOpts());
    Result.place.end = Sources.getFileOffset(last) + size;
    Result.place.isRaw = *Sources.getCharacterData(last) == 'R';
    Result.text += literal.getString().str();
    return withoutNul();
  }

  std::string withoutNul() const {
    return Result.text.find('\0') == std::string::npos
               ? std::string()
               : "the text of the kernels has NUL bytes";
  }

  /// Adds the options of the build, as words separated by blanks, which is how
  /// the runtime reads them. Returns why they aren't known, or an empty string.
  std::string addOptions() {
    std::optional<std::string> options;
    for (const CallExpr *call : Found.builds) {
      const bool isMethod = isa<CXXMemberCallExpr>(call);
      if (!isMethod && call->getNumArgs() != 6)
        return "the call that builds the program has errors";
      const Expr *argument =
          isMethod ? argumentNamed("options", *call->getDirectCallee(),
                                   {call->getArgs(), call->getNumArgs()})
                   : call->getArg(3);
      std::set<const VarDecl *> holders;
      const StringLiteral *literal =
          argument ? literalOf(*argument, holders) : nullptr;
      // Whatever names them may change them.
      if (std::any_of(holders.begin(), holders.end(), [&](const VarDecl *each) {
            return Found.mentions[each].size() != Found.builds.size();
          }))
        return "the options of the build may change";
      if (argument && !literal && !isNull(*argument))
        return "the options of the build aren't known";
      const std::string given = literal ? literal->getString().str() : "";
      if (given.find('"') != std::string::npos ||
          (options && *options != given))
        return "the program is built with options that aren't followed";
      options = given;
    }
    if (!options)
      return "the program isn't built here";
    std::istringstream words(*options);
    for (std::string word; words >> word;)
      Result.options.push_back(word);
    return {};
  }

  static inline const std::string NoString =
      "the text of the kernels is no string of the file that stays what it is";
  static inline const std::string UsesText =
      "the host does more with the text of the kernels than to make the "
      "program";

  ASTContext &Ast;
  const SourceManager &Sources;
  const std::string &Folder;
  SourceTextFinder Found;
  std::set<const VarDecl *> Holders; ///< of the text
  OpenClSource Result;
};

} // namespace

OpenClSource findOpenClSource(ASTUnit &host, const std::string &folder) {
  return Search(host, folder).run();
}

} // namespace kfuse
