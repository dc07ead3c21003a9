//===- Model.cpp - Storage and variables of the host ----------------------===//

#include "frontend/host/Model.h"

#include "frontend/kernel/Analysis.h"
#include "frontend/kernel/Types.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

#include <algorithm>

namespace kfuse {

VariableId HostModel::variable(const clang::ValueDecl &declaration) {
  const auto *canonical =
      llvm::cast<clang::ValueDecl>(declaration.getCanonicalDecl());
  auto [place, isNew] = Variables.emplace(
      canonical, static_cast<VariableId>(program.variables.size()));
  if (!isNew)
    return place->second;
  program.variables.push_back({declaration.getNameAsString()});
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(canonical);
  if (!variable || variable->hasGlobalStorage())
    Shared.insert(place->second);
  return place->second;
}

VariableId HostModel::memory() {
  if (!Memory) {
    Memory = static_cast<VariableId>(program.variables.size());
    program.variables.push_back({"*"});
    Shared.insert(*Memory);
  }
  return *Memory;
}

VariableId HostModel::argumentsOf(ObjectId kernelObject) {
  const auto [place, isNew] = KernelArguments.emplace(
      kernelObject, static_cast<VariableId>(program.variables.size()));
  if (isNew)
    program.variables.push_back(
        {"arguments of " + (*this)[kernelObject].array.name});
  return place->second;
}

void HostModel::markShared(const clang::ValueDecl &declaration) {
  Shared.insert(variable(declaration));
}

void HostModel::markOwn(VariableId id, bool isOfMain) {
  if (isOfMain)
    Shared.erase(id);
  else
    Own.insert(id);
}

Polynomial HostModel::freshValue(const HostPlace &place, std::string text,
                                 IntegerType type) {
  auto index = static_cast<std::uint32_t>(program.values.size());
  program.values.push_back({place.base, std::move(text), false, type});
  ValuePlaces.push_back(place);
  return Polynomial(Symbol{SymbolKind::HostValue, index});
}

Polynomial HostModel::errorValue() {
  const Polynomial value = unknown();
  Errors.insert(*value.asSymbol());
  return value;
}

bool HostModel::isError(const Polynomial &value) const {
  const std::optional<Symbol> symbol = value.asSymbol();
  return value.isZero() || (symbol && Errors.count(*symbol) != 0);
}

Polynomial HostModel::interned(const std::string &key, IntegerType type) {
  auto place = Interned.find(key);
  if (place == Interned.end())
    place = Interned.emplace(key, unknown(type)).first;
  return place->second;
}

ObjectId HostModel::addObject(MemoryObject object) {
  Objects.push_back(std::move(object));
  return static_cast<ObjectId>(Objects.size() - 1);
}

ElementType pointeeElement(const clang::ASTContext &ast,
                           clang::QualType pointer) {
  clang::QualType element;
  if (!pointer.isNull()) {
    if (pointer->isAnyPointerType())
      element = pointer->getPointeeType();
    else if (const clang::ArrayType *array = ast.getAsArrayType(pointer))
      element = array->getElementType();
  }
  while (!element.isNull() && element->isArrayType())
    element = ast.getAsArrayType(element)->getElementType();
  if (element.isNull() || element->isIncompleteType() ||
      element->isFunctionType() || element->isDependentType())
    return {"unsigned char", "unsigned char", 1, false, true};
  return describeElement(ast, element);
}

ObjectId HostModel::unknownObject(std::string name, clang::QualType pointer) {
  MemoryObject object;
  object.array.name = std::move(name);
  object.array.element = pointeeElement(ast, pointer);
  if (!pointer.isNull() && pointer->isAnyPointerType()) {
    clang::QualType pointee = pointer->getPointeeType();
    object.isRecord = pointee->isRecordType() || pointee->isAnyPointerType() ||
                      pointee->isCharType() || pointee->isFunctionType();
  }
  return addObject(std::move(object));
}

ObjectId HostModel::hostObject() {
  if (!Host) {
    MemoryObject object;
    object.array.name = "host memory";
    object.array.element = {"unsigned char", "unsigned char", 1, false, true};
    object.isHost = true;
    Host = addObject(std::move(object));
  }
  return *Host;
}

/// Checks whether the program calls, or may call, what returns the addresses of
/// device variables.
static bool asksForSymbols(const clang::ASTContext &ast) {
  const clang::DeclarationName name = &ast.Idents.get("cudaGetSymbolAddress");
  return llvm::any_of(ast.getTranslationUnitDecl()->lookup(name),
                      [](const clang::NamedDecl *found) {
                        const auto *pattern =
                            llvm::dyn_cast<clang::FunctionTemplateDecl>(found);
                        return found->isReferenced() ||
                               (pattern &&
                                (pattern->getTemplatedDecl()->isReferenced() ||
                                 !pattern->specializations().empty()));
                      });
}

ObjectId HostModel::deviceVariable(const clang::VarDecl &variable) {
  const clang::VarDecl *canonical = variable.getCanonicalDecl();
  auto known = DeviceVariables.find(canonical);
  if (known != DeviceVariables.end())
    return known->second;
  MemoryObject object;
  object.array.name = variable.getNameAsString();
  clang::QualType type = variable.getType();
  while (const clang::ArrayType *array = ast.getAsArrayType(type))
    type = array->getElementType();
  object.array.element = describeElement(ast, type);
  object.array.origin = variable.hasAttr<clang::HIPManagedAttr>()
                            ? ArrayOrigin::Managed
                        : variable.hasAttr<clang::CUDAConstantAttr>()
                            ? ArrayOrigin::ConstantVariable
                            : ArrayOrigin::DeviceVariable;
  object.array.isReadOnly =
      object.array.origin == ArrayOrigin::ConstantVariable;
  object.array.isOnlyNamed = object.array.isReadOnly && !asksForSymbols(ast);
  if (!variable.getType()->isIncompleteType() &&
      !variable.getType()->isDependentType())
    object.array.bytes =
        Polynomial(ast.getTypeSizeInChars(variable.getType()).getQuantity());
  // Its symbol is known to every function of the program.
  object.array.escapes = true;
  object.array.range = files.range(variable.getSourceRange());
  ObjectId id = addObject(std::move(object));
  DeviceVariables.emplace(canonical, id);
  return id;
}

ObjectId HostModel::constantOf(const clang::VarDecl &variable,
                               const clang::ASTContext &kernels) {
  const clang::VarDecl *canonical = variable.getCanonicalDecl();
  auto known = DeviceVariables.find(canonical);
  if (known != DeviceVariables.end())
    return known->second;
  MemoryObject object;
  object.array.name = variable.getNameAsString();
  object.array.element = pointeeElement(kernels, variable.getType());
  object.array.origin = ArrayOrigin::ConstantVariable;
  object.array.isReadOnly = true;
  ObjectId id = addObject(std::move(object));
  DeviceVariables.emplace(canonical, id);
  return id;
}

ArrayId HostModel::array(ObjectId id) {
  if (Objects[indexOf(id)].id != noneOf<ArrayId>())
    return Objects[indexOf(id)].id;
  MemoryObject &object = Objects[indexOf(id)];
  object.id = static_cast<ArrayId>(program.arrays.size());
  program.arrays.emplace_back();
  for (ObjectId candidate : std::vector<ObjectId>(object.candidates))
    array(candidate);
  return Objects[indexOf(id)].id;
}

void HostModel::escape(ObjectId id) {
  MemoryObject &object = Objects[indexOf(id)];
  if (object.array.escapes)
    return;
  object.array.escapes = true;
  for (ObjectId candidate : std::vector<ObjectId>(object.candidates))
    escape(candidate);
}

void HostModel::measure(ObjectId id) {
  escape(id);
  MemoryObject &object = Objects[indexOf(id)];
  object.array.isMeasured = true;
  for (ObjectId candidate : object.candidates)
    Objects[indexOf(candidate)].array.isMeasured = true;
}

ObjectId HostModel::merge(const std::string &name,
                          const std::set<ObjectId> &values) {
  std::set<ObjectId> candidates;
  bool areKnown = true;
  const MemoryObject *sample = nullptr;
  for (ObjectId value : values) {
    const MemoryObject &object = Objects[indexOf(value)];
    // A null pointer is no storage.
    if (Host && value == *Host)
      continue;
    sample = &object;
    if (object.array.origin == ArrayOrigin::Allocation)
      candidates.insert(value);
    else if (!object.candidates.empty())
      candidates.insert(object.candidates.begin(), object.candidates.end());
    else
      areKnown = false;
  }
  if (!sample)
    return hostObject();
  MemoryObject merged;
  merged.array.name = name;
  merged.array.element = sample->array.element;
  merged.isRecord = sample->isRecord;
  if (areKnown)
    merged.candidates.assign(candidates.begin(), candidates.end());
  ObjectId id = addObject(std::move(merged));
  if (!areKnown)
    for (ObjectId value : values)
      escape(value);
  return id;
}

} // namespace kfuse
